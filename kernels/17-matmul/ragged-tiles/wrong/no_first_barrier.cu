// fails: race-shared
extern "C" __global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k)
{
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y;
    int col = blockIdx.x * TILE + x;
    float sum = 0.0f;
    for (int start = 0; start < k; start += TILE) {
        a_tile[y][x] = row < m && start + x < k ? a[row * k + start + x] : 0.0f;
        b_tile[y][x] = start + y < k && col < n ? b[(start + y) * n + col] : 0.0f;
        for (int i = 0; i < TILE; ++i) {
            sum += a_tile[y][i] * b_tile[i][x];
        }
        __syncthreads();
    }
    if (row < m && col < n) {
        c[row * n + col] = sum;
    }
}
