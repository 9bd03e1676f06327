// fails: results
extern "C" __global__ void mirror(const int* in, int* out, int w, int h)
{
    int x = blockIdx.y * blockDim.y + threadIdx.y;
    int y = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < w && y < h) {
        out[y * w + (w - 1 - x)] = in[y * w + x];
    }
}
