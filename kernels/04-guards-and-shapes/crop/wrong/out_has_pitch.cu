// fails: oob-write
extern "C" __global__ void crop(const int* in, int pitch, int* out, int x0, int y0, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        out[y * pitch + x] = in[(y0 + y) * pitch + (x0 + x)];
    }
}
