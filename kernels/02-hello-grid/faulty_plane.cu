// One line of this kernel is wrong.
extern "C" __global__ void faulty_plane(int* out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        int i = y * h + x;
        out[i] = 1000 * y + x;
    }
}
