// fails: race-shared
extern "C" __global__ void mix(const int* in, int* out, int n)
{
    extern __shared__ int s[];  // blockDim.x cells
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? in[i] : 0;
    int next = s[(t + 1) % blockDim.x];
    int mirror = s[blockDim.x - 1 - t];
    __syncthreads();
    s[t] = next + 2 * mirror;
    __syncthreads();
    if (i < n) {
        out[i] = s[(t + blockDim.x / 2) % blockDim.x];
    }
}
