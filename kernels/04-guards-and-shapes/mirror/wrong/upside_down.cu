// fails: results
extern "C" __global__ void mirror(const int* in, int* out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        out[(h - 1 - y) * w + x] = in[y * w + x];
    }
}
