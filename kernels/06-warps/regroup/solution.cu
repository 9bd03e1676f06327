// The first half of a block takes the even elements, the second half the odd ones: no warp has both.
__device__ float rise(float x, int rounds)
{
    for (int k = 0; k < rounds; ++k) x = 0.5f * x + 1.0f;
    return x;
}

__device__ float fall(float x, int rounds)
{
    for (int k = 0; k < rounds; ++k) x = 0.25f * x - 1.0f;
    return x;
}

extern "C" __global__ void regroup(const float* in, float* out, int n, int rounds)
{
    int half = blockDim.x / 2;
    int odd = threadIdx.x / half;
    int i = blockIdx.x * blockDim.x + 2 * (threadIdx.x % half) + odd;
    if (i < n) {
        if (odd == 0) {
            out[i] = rise(in[i], rounds);
        } else {
            out[i] = fall(in[i], rounds);
        }
    }
}
