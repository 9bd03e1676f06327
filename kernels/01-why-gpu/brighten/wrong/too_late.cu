// fails: results
extern "C" __global__ void brighten(const unsigned char* in, unsigned char* out, int n, int amount)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned char sum = in[i] + amount;
        out[i] = max(0, min(255, (int)sum));
    }
}
