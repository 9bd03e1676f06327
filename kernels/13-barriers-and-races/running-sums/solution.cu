// Between reading and writing, everybody waits; and again between writing and the next reading.
extern "C" __global__ void scan(const int* in, int* out, int n)
{
    extern __shared__ int s[];  // blockDim.x cells
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
        int more = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += more;
        __syncthreads();
    }
    if (i < n) {
        out[i] = s[t];
    }
}
