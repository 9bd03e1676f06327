// CHAINS independent chains of multiply-adds a thread: how many it takes to hide the latency of one.
extern "C" __global__ void ilp(float* out, int rounds)
{
    float x[CHAINS];
    for (int i = 0; i < CHAINS; ++i) x[i] = threadIdx.x * 0.001f + i;
    for (int r = 0; r < rounds; ++r)
#pragma unroll
        for (int i = 0; i < CHAINS; ++i) x[i] = x[i] * 0.999f + 0.5f;
    float sum = 0.0f;
    for (int i = 0; i < CHAINS; ++i) sum += x[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
