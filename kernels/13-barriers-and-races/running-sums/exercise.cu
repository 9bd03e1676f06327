// Right for a block of one warp. Make it right for all blocks, in every order of their warps.
extern "C" __global__ void scan(const int* in, int* out, int n)
{
    extern __shared__ int s[];  // blockDim.x cells
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
        if (t >= d) {
            s[t] += s[t - d];
        }
        __syncthreads();
    }
    if (i < n) {
        out[i] = s[t];
    }
}
