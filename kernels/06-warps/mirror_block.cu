// The whole block waits between its writes and its reads: right for any number of warps.
extern "C" __global__ void mirror(const int* in, int* out)
{
    __shared__ int cell[128];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    cell[t] = in[i];
    __syncthreads();
    out[i] = cell[blockDim.x - 1 - t];
}
