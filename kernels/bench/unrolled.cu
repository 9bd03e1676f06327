// kernel: unrolled
// launch: grid=(256,1,1) block=(256,1,1)
// args: out=buf:f32[65536]:uninit; factor=f32:1.0001

// The same work with few declared registers or many: each step of an unrolled loop gets registers of its own.
#ifndef STEPS
#define STEPS 1
#endif

extern "C" __global__ void unrolled(float* out, float factor)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = float(i);
#pragma unroll 1
    for (int round = 0; round < 1024 / STEPS; ++round) {
#pragma unroll
        for (int step = 0; step < STEPS; ++step) {
            float a = value * factor, b = a - 1.0f;
            value = b * b + a;
            value = value > 1000.0f ? value * 0.001f : value;
        }
    }
    out[i] = value;
}
