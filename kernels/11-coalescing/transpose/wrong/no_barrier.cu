// fails: race-shared
extern "C" __global__ void transpose(const float* in, float* out, int w, int h)
{
    __shared__ float tile[TILE][TILE];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    if (x < w && y < h) {
        tile[threadIdx.y][threadIdx.x] = in[y * w + x];
    }
    int column = blockIdx.y * TILE + threadIdx.x;
    int row = blockIdx.x * TILE + threadIdx.y;
    if (column < h && row < w) {
        out[row * h + column] = tile[threadIdx.x][threadIdx.y];
    }
}
