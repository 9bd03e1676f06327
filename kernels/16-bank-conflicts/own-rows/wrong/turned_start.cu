// fails: results
extern "C" __global__ void own_rows(const int* in, int* out, int n)
{
    extern __shared__ int s[];  // 33 * blockDim.x cells
    int first = blockIdx.x * blockDim.x;
    int cells = min(int(blockDim.x), n - first) * 32;
    for (int k = threadIdx.x; k < cells; k += blockDim.x) {
        s[k] = in[first * 32 + k];
    }
    __syncthreads();
    int i = first + threadIdx.x;
    if (i < n) {
        int sum = 0;
        for (int k = 0; k < 32; ++k) {
            sum += s[threadIdx.x * 32 + (k + threadIdx.x) % 32] * (k + 1);
        }
        out[i] = sum;
    }
}
