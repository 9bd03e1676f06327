// fails: oob-write
extern "C" __global__ void write_plane(int* out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w) {
        out[y * w + x] = 1000 * y + x;
    }
}
