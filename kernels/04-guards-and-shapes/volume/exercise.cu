// Fills the first slice only. Fill all d of them.
extern "C" __global__ void volume(int* out, int w, int h, int d)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        out[y * w + x] = 100 * y + x;
    }
}
