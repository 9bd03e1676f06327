// fails: results
extern "C" __global__ void write_plane(int* out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int i = y * h + x;
    if (x < w && y < h && i < w * h) {
        out[i] = 1000 * y + x;
    }
}
