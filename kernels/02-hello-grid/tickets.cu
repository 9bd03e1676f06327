// The first thread of each block draws a ticket, so that out holds the order in which the blocks came.
extern "C" __global__ void tickets(int* out, int* next)
{
    int block = blockIdx.y * gridDim.x + blockIdx.x;
    if (threadIdx.x == 0) {
        out[block] = atomicAdd(next, 1);
    }
}
