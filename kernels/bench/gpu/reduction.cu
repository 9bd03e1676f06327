// The sum of an array: each block one partial sum. From shared memory with a modulo to 16-byte loads and
// shuffles; whole numbers, so that every order of adding gives the same.
extern "C" __global__ void sum_modulo(float* sums, const float* in, int n)
{
    __shared__ float part[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    part[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int step = 1; step < 256; step *= 2) {
        if (t % (2 * step) == 0) part[t] += part[t + step];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = part[0];
}

extern "C" __global__ void sum_halves(float* sums, const float* in, int n)
{
    __shared__ float part[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    part[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int step = 128; step > 0; step /= 2) {
        if (t < step) part[t] += part[t + step];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = part[0];
}

__device__ float sum_of_warp(float value)
{
    for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffffu, value, step);
    return value;
}

extern "C" __global__ void sum_stream(float* sums, const float4* in, int quads)
{
    __shared__ float part[32];
    int stride = gridDim.x * blockDim.x;
    float sum = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < quads; i += stride) {
        float4 x = in[i];
        sum += (x.x + x.y) + (x.z + x.w);
    }
    sum = sum_of_warp(sum);
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (lane == 0) part[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = lane < blockDim.x / 32 ? part[lane] : 0.0f;
        sum = sum_of_warp(sum);
        if (lane == 0) sums[blockIdx.x] = sum;
    }
}
