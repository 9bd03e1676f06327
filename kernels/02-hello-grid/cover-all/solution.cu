// The place in the grid, and a guard for the threads of the last block that have no element.
extern "C" __global__ void write_index(int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = i;
    }
}
