// The lanes of a warp wait for each other between their writes and their reads: enough when the block is one warp.
extern "C" __global__ void mirror(const int* in, int* out)
{
    __shared__ int cell[128];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    cell[t] = in[i];
    __syncwarp();
    out[i] = cell[blockDim.x - 1 - t];
}
