// fails: results
extern "C" __global__ void grey(const unsigned char* rgb, unsigned char* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned char sum = 77 * rgb[3 * i] / 256;
        sum += 150 * rgb[3 * i + 1] / 256;
        sum += 29 * rgb[3 * i + 2] / 256;
        out[i] = sum;
    }
}
