// Each thread adds up CHAINS sums side by side: none of them waits for the others, and each needs a register.
// The outer loop is not to be unrolled: the compiler would send loads ahead by itself.
extern "C" __global__ void chains(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int step = gridDim.x * blockDim.x;
    float sum[CHAINS];
#pragma unroll
    for (int c = 0; c < CHAINS; ++c) {
        sum[c] = 0.0f;
    }
#pragma unroll 1
    for (int k = i; k + (CHAINS - 1) * step < n; k += CHAINS * step) {
#pragma unroll
        for (int c = 0; c < CHAINS; ++c) {
            sum[c] += x[k + c * step];
        }
    }
    float all = 0.0f;
#pragma unroll
    for (int c = 0; c < CHAINS; ++c) {
        all += sum[c];
    }
    y[i] = all;
}
