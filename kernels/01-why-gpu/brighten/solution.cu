// A pixel is kept between 0 and 255 before it goes back into a byte.
extern "C" __global__ void brighten(const unsigned char* in, unsigned char* out, int n, int amount)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = max(0, min(255, in[i] + amount));
    }
}
