// Right. But count[...] is indexed with a number from memory, and so it cannot be kept in registers.
extern "C" __global__ void majority(const int* in, int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int count[4] = {0, 0, 0, 0};
        for (int k = 0; k < 15; ++k) {
            count[in[k * n + i]]++;
        }
        int best = 0;
        for (int d = 1; d < 4; ++d) {
            if (count[d] > count[best]) {
                best = d;
            }
        }
        out[i] = best;
    }
}
