// Which warp of its block does a thread belong to? Counted along x first, then y, 32 to a warp.
extern "C" __global__ void bands(int* out)
{
    int thread = threadIdx.y * blockDim.x + threadIdx.x;
    out[thread] = thread / 32;
}
