// fails: results
extern "C" __global__ void who_am_i(int* lane, int* warp)
{
    int place = ((blockIdx.x * blockDim.x + threadIdx.x) * blockDim.y + threadIdx.y) * blockDim.z + threadIdx.z;
    int thread = blockIdx.x * blockDim.x * blockDim.y * blockDim.z + (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    lane[place] = thread % 32;
    warp[place] = thread / 32;
}
