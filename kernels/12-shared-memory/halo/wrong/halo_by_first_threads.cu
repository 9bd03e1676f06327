// fails: uninit-read
extern "C" __global__ void stencil(const int* in, int* out, int n, int r)
{
    extern __shared__ int tile[];  // blockDim.x + 2r cells
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x + r] = i < n ? in[i] : 0;
    if (threadIdx.x < r) {
        int left = i - r, right = i + blockDim.x;
        tile[threadIdx.x] = left >= 0 ? in[left] : 0;
        tile[threadIdx.x + blockDim.x + r] = right < n ? in[right] : 0;
    }
    __syncthreads();
    if (i < n) {
        int sum = 0;
        for (int k = 0; k <= 2 * r; ++k) {
            sum += tile[threadIdx.x + k];
        }
        out[i] = sum;
    }
}
