// Running sums within a block, in place, with a barrier after each step.
extern "C" __global__ void scan(const int* in, int* out)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    s[t] = in[i];
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
        if (t >= d) {
            s[t] += s[t - d];
        }
        __syncthreads();
    }
    out[i] = s[t];
}
