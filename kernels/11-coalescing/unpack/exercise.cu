// Right, and each of the four loads fetches four times what it needs.
extern "C" __global__ void unpack(const float* in, float* x, float* y, float* z, float* mass, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        x[i] = in[4 * i + 0];
        y[i] = in[4 * i + 1];
        z[i] = in[4 * i + 2];
        mass[i] = in[4 * i + 3];
    }
}
