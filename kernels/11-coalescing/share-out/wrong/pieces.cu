// fails: counter global_load_sectors_per_request
extern "C" __global__ void share_out(float* out, const float* in, int n)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    int piece = (n + threads - 1) / threads;
    for (int k = 0; k < piece; ++k) {
        int i = thread * piece + k;
        if (i < n) out[i] = 3.0f * in[i] + 1.0f;
    }
}
