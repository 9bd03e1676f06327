// Blocks that see each other.

__device__ void wait_all(unsigned* counter)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(counter, 1u);
        while (atomicAdd(counter, 0u) < gridDim.x) { }
        __threadfence();
    }
    __syncthreads();
}

extern "C" __global__ void grid_barrier(int* out, volatile int* x, unsigned* arrived)
{
    int b = blockIdx.x;
    if (threadIdx.x == 0) x[b] = 10 * b + 1;
    wait_all(&arrived[0]);
    int left = x[(b + gridDim.x - 1) % gridDim.x];
    wait_all(&arrived[1]);
    if (threadIdx.x == 0) out[b] = left + b;
}

// A float sum depends on the order of the blocks, which therefore is fixed.
extern "C" __global__ void float_sum(float* sum, float* seen)
{
    float before = atomicAdd(sum, 1.0f / (1 + blockIdx.x));
    if (threadIdx.x == 0) seen[blockIdx.x] = before;
}

// Blocks that must not, but do: each reads what its neighbour writes with plain accesses.
extern "C" __global__ void neighbours(int* data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = (i + blockDim.x) % n;
    data[i] = data[j] + 1;
}

// The first block waits for the last.
extern "C" __global__ void wait_for_last(volatile int* flag, int* out)
{
    if (blockIdx.x == gridDim.x - 1) *flag = 1;
    while (*flag == 0) { }
    out[blockIdx.x] = blockIdx.x;
}

extern "C" __global__ void specials(unsigned* out)
{
    unsigned i = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    unsigned lane, warp, lt, ge, sm;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
    asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(lt));
    asm volatile("mov.u32 %0, %%lanemask_ge;" : "=r"(ge));
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    unsigned n = blockDim.x * blockDim.y * blockDim.z;
    unsigned* o = out + (i * n + t) * 6;
    o[0] = t; o[1] = lane; o[2] = warp; o[3] = lt; o[4] = ge; o[5] = sm + 1000 * i;
}

// One block stops with an error while it holds the lock that the others wait for.
extern "C" __global__ void stopped_with_lock(int* lock, int* data, int n)
{
    while (atomicCAS(lock, 0, 1) != 0) { }
    __threadfence();
    data[blockIdx.x == 2 ? n : blockIdx.x] = 1;
    __threadfence();
    atomicExch(lock, 0);
}
