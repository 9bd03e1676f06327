// Right for blocks in one dimension. The place in the arrays is worked out already.
extern "C" __global__ void who_am_i(int* lane, int* warp)
{
    int place = ((blockIdx.x * blockDim.x + threadIdx.x) * blockDim.y + threadIdx.y) * blockDim.z + threadIdx.z;
    int thread = threadIdx.x;
    lane[place] = thread % 32;
    warp[place] = thread / 32;
}
