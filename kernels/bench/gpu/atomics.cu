// Additions into BINS counters that a hash of the thread chooses: from one address to many.
extern "C" __global__ void atomics(unsigned* counts, int n)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        unsigned hash = i * 2654435761u;
        atomicAdd(&counts[(hash >> 16) % BINS], 1u);
    }
}

// The float sum cannot be gathered within a warp.
extern "C" __global__ void atomics_float(float* counts, int n)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        unsigned hash = i * 2654435761u;
        atomicAdd(&counts[(hash >> 16) % BINS], 1.0f);
    }
}
