// fails: oob-read
extern "C" __global__ void cubes(const int* x, int* y, int n)
{
    int threads = gridDim.x * blockDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        v[k] = i < n ? x[i + k * threads] : 0;
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        if (i + k * threads < n) {
            y[i + k * threads] = v[k] * v[k] * v[k];
        }
    }
}
