// The upper half is added to the lower half, until one cell is left.
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
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half) {
            s[t] += s[t + half];
        }
        __syncthreads();
    }
    if (t == 0) {
        atomicAdd(total, s[0]);
    }
}
