// Every lane reads at STRIDE times its number, again and again, from what fits in L1: the cost of a request
// by its stride.
extern "C" __global__ void l1_stride(float* out, const float* in, int rounds)
{
    const volatile float* mine = in + threadIdx.x % 32 * STRIDE;
    float sum = 0.0f;
    for (int i = 0; i < rounds; ++i) sum += mine[i & 15];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
