// fails: results
extern "C" __global__ void share_out(float* out, const float* in, int n)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    if (thread < n) out[thread] = 3.0f * in[thread] + 1.0f;
}
