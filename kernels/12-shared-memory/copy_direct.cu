// Twice each number, straight from global memory to global memory.
extern "C" __global__ void twice(const int* in, int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = 2 * in[i];
    }
}
