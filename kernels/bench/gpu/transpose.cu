// out[x][y] = in[y][x] for n x n floats, n a multiple of 32; blocks of 32 x 8 threads.
extern "C" __global__ void transpose_naive(float* out, const float* in, int n)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8) out[(size_t)x * n + y + k] = in[(size_t)(y + k) * n + x];
}

extern "C" __global__ void transpose_conflicts(float* out, const float* in, int n)
{
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8) tile[threadIdx.y + k][threadIdx.x] = in[(size_t)(y + k) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8) out[(size_t)(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}

// One column more than a row of banks: a column of the tile lies in 32 banks.
extern "C" __global__ void transpose_padded(float* out, const float* in, int n)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8) tile[threadIdx.y + k][threadIdx.x] = in[(size_t)(y + k) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8) out[(size_t)(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}
