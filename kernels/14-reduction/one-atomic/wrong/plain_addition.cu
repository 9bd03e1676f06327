// fails: race-global
extern "C" __global__ void sum(const int* in, int* partial, int* total, int n)
{
    extern __shared__ int s[];  // blockDim.x cells
    int t = threadIdx.x;
    int mine = 0;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
        mine += in[i];
    }
    s[t] = mine;
    __syncthreads();
    for (int left = blockDim.x; left > 1; left = (left + 1) / 2) {
        int half = (left + 1) / 2;
        if (t < left - half) {
            s[t] += s[t + half];
        }
        __syncthreads();
    }
    if (t == 0) {
        partial[blockIdx.x] = s[0];
        *total += s[0];
    }
}
