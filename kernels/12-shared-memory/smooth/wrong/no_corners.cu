// fails: uninit-read
extern "C" __global__ void smooth(const int* in, int* out, int w, int h)
{
    const int side = TILE + 2;
    __shared__ int tile[side][side];
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    tile[ty][tx] = x < w && y < h ? in[y * w + x] : 0;
    if (threadIdx.x == 0) {
        tile[ty][0] = x > 0 && y < h ? in[y * w + x - 1] : 0;
        tile[ty][TILE + 1] = x + TILE < w && y < h ? in[y * w + x + TILE] : 0;
    }
    if (threadIdx.y == 0) {
        tile[0][tx] = y > 0 && x < w ? in[(y - 1) * w + x] : 0;
        tile[TILE + 1][tx] = y + TILE < h && x < w ? in[(y + TILE) * w + x] : 0;
    }
    __syncthreads();
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
