// fails: results
extern "C" __global__ void majority(const int* in, int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned packed = 0;
        for (int k = 0; k < 15; ++k) {
            packed += 1u << 3 * in[k * n + i];
        }
        int best = 0;
        unsigned most = packed & 7;
        for (int d = 1; d < 4; ++d) {
            unsigned count = packed >> 3 * d & 7;
            if (count > most) {
                most = count;
                best = d;
            }
        }
        out[i] = best;
    }
}
