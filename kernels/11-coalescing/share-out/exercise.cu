// Each thread works on a piece of its own, as one would share out work among CPU threads.
extern "C" __global__ void share_out(float* out, const float* in, int n)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    int piece = (n + threads - 1) / threads;
    int end = min(n, (thread + 1) * piece);
    for (int i = thread * piece; i < end; ++i) {
        out[i] = 3.0f * in[i] + 1.0f;
    }
}
