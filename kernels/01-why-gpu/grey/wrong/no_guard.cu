// fails: oob-read
extern "C" __global__ void grey(const unsigned char* rgb, unsigned char* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int red = rgb[3 * i], green = rgb[3 * i + 1], blue = rgb[3 * i + 2];
    out[i] = (77 * red + 150 * green + 29 * blue) / 256;
}
