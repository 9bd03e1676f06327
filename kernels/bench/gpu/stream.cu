// Straight through memory, 16 bytes a thread and step: what the device's memory gives at best.
extern "C" __global__ void copy(float4* out, const float4* in, int quads)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < quads; i += stride) out[i] = in[i];
}

extern "C" __global__ void scale(float* out, const float* in, int n)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) out[i] = in[i] * 1.5f;
}

extern "C" __global__ void triad(float4* out, const float4* a, const float4* b, int quads)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < quads; i += stride) {
        float4 x = a[i], y = b[i];
        out[i] = make_float4(x.x + 1.5f * y.x, x.y + 1.5f * y.y, x.z + 1.5f * y.z, x.w + 1.5f * y.w);
    }
}

// Reads everything; the store never happens but keeps the loads.
extern "C" __global__ void read(float* out, const float* in, int n)
{
    int stride = gridDim.x * blockDim.x;
    float sum = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) sum += in[i];
    if (sum == -1.0f) out[0] = sum;
}
