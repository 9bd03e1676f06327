// fails: results
extern "C" __global__ void grey(const unsigned char* rgb, unsigned char* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int red = rgb[i], green = rgb[n + i], blue = rgb[2 * n + i];
        out[i] = (77 * red + 150 * green + 29 * blue) / 256;
    }
}
