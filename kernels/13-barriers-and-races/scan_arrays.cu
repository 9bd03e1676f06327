// Two arrays: read from one, write to the other, and swap. One barrier a step.
extern "C" __global__ void scan(const int* in, int* out)
{
    __shared__ int s[2][256];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    int now = 0;
    s[now][t] = in[i];
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
        int more = t >= d ? s[now][t - d] : 0;
        s[1 - now][t] = s[now][t] + more;
        now = 1 - now;
        __syncthreads();
    }
    out[i] = s[now][t];
}
