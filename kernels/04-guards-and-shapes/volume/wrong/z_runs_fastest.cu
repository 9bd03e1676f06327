// fails: results
extern "C" __global__ void volume(int* out, int w, int h, int d)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < w && y < h && z < d) {
        out[(x * h + y) * d + z] = 10000 * z + 100 * y + x;
    }
}
