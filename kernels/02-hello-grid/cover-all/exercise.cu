// Write i into out[i] for every i below n, whatever the size of a block.
extern "C" __global__ void write_index(int* out, int n)
{
    int i = threadIdx.x;
    out[i] = i;
}
