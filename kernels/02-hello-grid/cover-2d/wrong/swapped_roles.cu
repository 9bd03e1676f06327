// fails: results
extern "C" __global__ void write_plane(int* out, int w, int h)
{
    int y = blockIdx.x * blockDim.x + threadIdx.x;
    int x = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        out[y * w + x] = 1000 * y + x;
    }
}
