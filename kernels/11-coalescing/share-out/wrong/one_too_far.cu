// fails: oob-read
extern "C" __global__ void share_out(float* out, const float* in, int n)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    for (int i = thread; i <= n; i += threads) {
        out[i] = 3.0f * in[i] + 1.0f;
    }
}
