// Both coordinates need their own index and their own guard.
extern "C" __global__ void write_plane(int* out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        out[y * w + x] = 1000 * y + x;
    }
}
