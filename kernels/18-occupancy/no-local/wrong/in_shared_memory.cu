// fails: counter shared_load_lanes
extern "C" __global__ void majority(const int* in, int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        __shared__ int all[4][1024];
        int t = threadIdx.x;
        for (int d = 0; d < 4; ++d) {
            all[d][t] = 0;
        }
        for (int k = 0; k < 15; ++k) {
            all[in[k * n + i]][t]++;
        }
        int best = 0;
        for (int d = 1; d < 4; ++d) {
            if (all[d][t] > all[best][t]) {
                best = d;
            }
        }
        out[i] = best;
    }
}
