// fails: counter global_load_sectors_per_request
extern "C" __global__ void cubes(const int* x, int* y, int n)
{
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    for (int k = 0; k < 4; ++k) {
        if (i + k < n) {
            int v = x[i + k];
            y[i + k] = v * v * v;
        }
    }
}
