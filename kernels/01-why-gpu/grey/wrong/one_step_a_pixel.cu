// fails: results
extern "C" __global__ void grey(const unsigned char* rgb, unsigned char* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int red = rgb[i], green = rgb[i + 1], blue = rgb[i + 2];
        out[i] = (77 * red + 150 * green + 29 * blue) / 256;
    }
}
