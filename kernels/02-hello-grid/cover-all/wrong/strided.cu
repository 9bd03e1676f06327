// fails: counter global_store_sectors_per_request
extern "C" __global__ void write_index(int* out, int n)
{
    int i = threadIdx.x * gridDim.x + blockIdx.x;
    if (i < n) {
        out[i] = i;
    }
}
