// One number a thread, for a launch with a quarter of the threads: three quarters of the numbers are left out.
extern "C" __global__ void cubes(const int* x, int* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int v = x[i];
        y[i] = v * v * v;
    }
}
