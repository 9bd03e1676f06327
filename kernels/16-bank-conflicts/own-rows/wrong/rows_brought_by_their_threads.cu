// fails: counter global_load_sectors_per_request
extern "C" __global__ void own_rows(const int* in, int* out, int n)
{
    extern __shared__ int s[];  // 33 * blockDim.x cells
    int first = blockIdx.x * blockDim.x;
    int cells = min(int(blockDim.x), n - first) * 32;
    for (int k = 0; k < 32; ++k) {
        if (threadIdx.x * 32 + k < cells) s[threadIdx.x * 33 + k] = in[(first + threadIdx.x) * 32 + k];
    }
    __syncthreads();
    int i = first + threadIdx.x;
    if (i < n) {
        int sum = 0;
        for (int k = 0; k < 32; ++k) {
            sum += s[threadIdx.x * 33 + k] * (k + 1);
        }
        out[i] = sum;
    }
}
