// Threads of a block are numbered along x, then y, then z; every 32 are a warp.
extern "C" __global__ void who_am_i(int* lane, int* warp)
{
    int place = ((blockIdx.x * blockDim.x + threadIdx.x) * blockDim.y + threadIdx.y) * blockDim.z + threadIdx.z;
    int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    lane[place] = thread % 32;
    warp[place] = thread / 32;
}
