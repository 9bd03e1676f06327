// Column x goes to column w - 1 - x of the same row.
extern "C" __global__ void mirror(const int* in, int* out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        out[y * w + (w - 1 - x)] = in[y * w + x];
    }
}
