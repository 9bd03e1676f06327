// fails: results
extern "C" __global__ void unpack(const float* in, float* x, float* y, float* z, float* mass, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        x[i] = in[0 * n + i];
        y[i] = in[1 * n + i];
        z[i] = in[2 * n + i];
        mass[i] = in[3 * n + i];
    }
}
