// fails: oob-read
extern "C" __global__ void majority(const int* in, int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    {
        int count[4] = {0, 0, 0, 0};
        for (int k = 0; k < 15; ++k) {
            int digit = in[k * n + i];
#pragma unroll
            for (int d = 0; d < 4; ++d) {
                count[d] += digit == d;
            }
        }
        int best = 0;
#pragma unroll
        for (int d = 1; d < 4; ++d) {
            if (count[d] > count[0]) {
                count[0] = count[d];
                best = d;
            }
        }
        out[i] = best;
    }
}
