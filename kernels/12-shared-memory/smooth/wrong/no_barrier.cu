// fails: race-shared
extern "C" __global__ void smooth(const int* in, int* out, int w, int h)
{
    const int side = TILE + 2;
    __shared__ int tile[side][side];
    for (int k = threadIdx.y * TILE + threadIdx.x; k < side * side; k += TILE * TILE) {
        int row = int(blockIdx.y * TILE) - 1 + k / side;
        int col = int(blockIdx.x * TILE) - 1 + k % side;
        tile[k / side][k % side] = row >= 0 && row < h && col >= 0 && col < w ? in[row * w + col] : 0;
    }
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    if (x < w && y < h) {
        int sum = 0;
        for (int dy = 0; dy < 3; ++dy) {
            for (int dx = 0; dx < 3; ++dx) {
                sum += tile[threadIdx.y + dy][threadIdx.x + dx];
            }
        }
        out[y * w + x] = sum;
    }
}
