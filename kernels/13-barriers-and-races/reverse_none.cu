// The same without a barrier.
extern "C" __global__ void reverse(const int* in, int* out)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    s[t] = in[i];
    out[i] = s[blockDim.x - 1 - t];
}
