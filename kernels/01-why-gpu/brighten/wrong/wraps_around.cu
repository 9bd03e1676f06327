// fails: results
extern "C" __global__ void brighten(const unsigned char* in, unsigned char* out, int n, int amount)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = in[i] + amount;
    }
}
