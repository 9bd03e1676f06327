// fails: results
extern "C" __global__ void who_am_i(int* lane, int* warp)
{
    int place = ((blockIdx.x * blockDim.x + threadIdx.x) * blockDim.y + threadIdx.y) * blockDim.z + threadIdx.z;
    int thread = (threadIdx.z * blockDim.x + threadIdx.x) * blockDim.y + threadIdx.y;
    lane[place] = thread % 32;
    warp[place] = thread / 32;
}
