// fails: results
extern "C" __global__ void unpack(const float* in, float* x, float* y, float* z, float* mass, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float4 particle = reinterpret_cast<const float4*>(in)[i];
        mass[i] = particle.x;
        x[i] = particle.y;
        y[i] = particle.z;
        z[i] = particle.w;
    }
}
