// fails: counter global_load_lanes
extern "C" __global__ void stencil(const int* in, int* out, int n, int r)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int sum = 0;
        for (int k = -r; k <= r; ++k) {
            if (i + k >= 0 && i + k < n) sum += in[i + k];
        }
        out[i] = sum;
    }
}
