// Each thread puts a number into shared memory and takes the one of the thread at the other end. Nothing says
// that the writes come first.
extern "C" __global__ void mirror(const int* in, int* out)
{
    __shared__ int cell[128];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    cell[t] = in[i];
    out[i] = cell[blockDim.x - 1 - t];
}
