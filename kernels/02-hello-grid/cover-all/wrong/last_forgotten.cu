// fails: results
extern "C" __global__ void write_index(int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - 1) {
        out[i] = i;
    }
}
