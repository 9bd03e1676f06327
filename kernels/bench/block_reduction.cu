// kernel: block_reduction
// launch: grid=(4096,1,1) block=(256,1,1)
// args: sums=buf:f32[4096]:uninit; in=buf:f32[1048576]:mod(7); n=i32:1048576

extern "C" __global__ void block_reduction(float* sums, const float* in, int n)
{
    __shared__ float part[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    part[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = part[0];
}
