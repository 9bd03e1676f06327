// fails: results
extern "C" __global__ void grey(const unsigned char* rgb, unsigned char* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int blue = rgb[3 * i], green = rgb[3 * i + 1], red = rgb[3 * i + 2];
        out[i] = (77 * red + 150 * green + 29 * blue) / 256;
    }
}
