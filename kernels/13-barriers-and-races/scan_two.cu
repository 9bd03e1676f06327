// Everybody reads; barrier; everybody writes; barrier.
extern "C" __global__ void scan(const int* in, int* out)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    s[t] = in[i];
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
        int more = t >= d ? s[t - d] : 0;
        __syncthreads();  // all have read
        s[t] += more;
        __syncthreads();  // all have written
    }
    out[i] = s[t];
}
