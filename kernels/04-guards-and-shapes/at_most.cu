// Both guards are there, with <= in place of <.
extern "C" __global__ void write_rows(int* out, int w, int h, int pitch)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x <= w && y <= h) {
        out[y * pitch + x] = 1000 * y + x;
    }
}
