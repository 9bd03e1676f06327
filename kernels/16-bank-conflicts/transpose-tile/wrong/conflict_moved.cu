// fails: counter shared_store_bank_conflicts
extern "C" __global__ void transpose(const int* in, int* out, int w, int h)
{
    __shared__ int tile[TILE][TILE];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    if (x < w && y < h) {
        tile[threadIdx.x][threadIdx.y] = in[y * w + x];
    }
    __syncthreads();
    int column = blockIdx.y * TILE + threadIdx.x;
    int row = blockIdx.x * TILE + threadIdx.y;
    if (column < h && row < w) {
        out[row * h + column] = tile[threadIdx.y][threadIdx.x];
    }
}
