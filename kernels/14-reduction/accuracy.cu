// The same floats added in three orders; 256 threads, and n is a multiple of 256.
#include <cstdio>

extern "C" __global__ void accuracy(const float* in, float* out, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    float mine = 0.0f;
    for (int i = t; i < n; i += 256) {
        mine += in[i];
    }
    s[t] = mine;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) {
            s[t] += s[t + half];
        }
        __syncthreads();
    }
    if (t == 0) {
        float serial = 0.0f;
        double exact = 0.0;
        for (int i = 0; i < n; ++i) {
            serial += in[i];
            exact += in[i];
        }
        out[0] = float(serial - exact);
        out[1] = float(s[0] - exact);
        printf("exact     %.4f\n", exact);
        printf("one by one %.4f   off by %+.4f\n", serial, serial - exact);
        printf("by a tree  %.4f   off by %+.4f\n", s[0], s[0] - exact);
    }
}
