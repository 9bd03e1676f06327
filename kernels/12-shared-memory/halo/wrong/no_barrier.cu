// fails: race-shared
extern "C" __global__ void stencil(const int* in, int* out, int n, int r)
{
    extern __shared__ int tile[];  // blockDim.x + 2r cells
    int first = int(blockIdx.x * blockDim.x) - r;
    for (int k = threadIdx.x; k < blockDim.x + 2 * r; k += blockDim.x) {
        int from = first + k;
        tile[k] = from >= 0 && from < n ? in[from] : 0;
    }
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int sum = 0;
        for (int k = 0; k <= 2 * r; ++k) {
            sum += tile[threadIdx.x + k];
        }
        out[i] = sum;
    }
}
