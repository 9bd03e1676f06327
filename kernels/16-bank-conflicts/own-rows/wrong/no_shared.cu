// fails: counter global_load_sectors_per_request
extern "C" __global__ void own_rows(const int* in, int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int sum = 0;
        for (int k = 0; k < 32; ++k) {
            sum += in[i * 32 + k] * (k + 1);
        }
        out[i] = sum;
    }
}
