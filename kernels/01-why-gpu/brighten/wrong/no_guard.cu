// fails: oob-read
extern "C" __global__ void brighten(const unsigned char* in, unsigned char* out, int n, int amount)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = max(0, min(255, in[i] + amount));
}
