// Eight counters, each with an index that the compiler knows after unrolling: they live in registers.
extern "C" __global__ void digits(const int* in, int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int count[8] = {0, 0, 0, 0, 0, 0, 0, 0};
        for (int k = 0; k < 16; ++k) {
            int digit = in[k * n + i];
#pragma unroll
            for (int d = 0; d < 8; ++d) {
                count[d] += digit == d;
            }
        }
        int best = 0;
#pragma unroll
        for (int d = 0; d < 8; ++d) {
            best = max(best, count[d]);
        }
        out[i] = best;
    }
}
