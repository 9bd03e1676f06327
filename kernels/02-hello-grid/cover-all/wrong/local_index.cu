// fails: results
extern "C" __global__ void write_index(int* out, int n)
{
    int i = threadIdx.x;
    if (i < n) {
        out[i] = i;
    }
}
