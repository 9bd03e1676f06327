// Neighbours first, but the threads that add stand together: 0, 1, 2 and so on.
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
        int k = 2 * d * t;
        if (k < blockDim.x) {
            s[k] += s[k + d];
        }
        __syncthreads();
    }
    if (t == 0) {
        atomicAdd(total, s[0]);
    }
}
