// Neighbours first. Every second thread adds, then every fourth, every eighth.
extern "C" __global__ void sum(const int* in, int* total, int n)
{
    __shared__ int s[512];
    int t = threadIdx.x;
    int mine = 0;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
        mine += in[i];
    }
    s[t] = mine;
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
        if (t % (2 * d) == 0) {
            s[t] += s[t + d];
        }
        __syncthreads();
    }
    if (t == 0) {
        atomicAdd(total, s[0]);
    }
}
