// fails: counter global_store_requests
extern "C" __global__ void brighten(const unsigned char* in, unsigned char* out, int n, int amount)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        for (int i = 0; i < n; ++i) {
            out[i] = max(0, min(255, in[i] + amount));
        }
    }
}
