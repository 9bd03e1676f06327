// fails: oob-read
extern "C" __global__ void unpack(const float* in, float* x, float* y, float* z, float* mass, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float4 particle = reinterpret_cast<const float4*>(in)[4 * i];
        x[i] = particle.x;
        y[i] = particle.y;
        z[i] = particle.z;
        mass[i] = particle.w;
    }
}
