// Block barriers, right and wrong.

extern "C" __global__ void block_sum(int* out, const int* in)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

// Without its second barrier this gives a wrong result in some orders of warps.
extern "C" __global__ void rotate(int* out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    int v = t;
    for (int k = 0; k < 5; ++k) {
        s[t] = v;
        __syncthreads();
        v = s[(t + 33) % 64];
        __syncthreads();
    }
    out[t] = v;
}

extern "C" __global__ void counted(int* out, const int* in)
{
    int t = threadIdx.x;
    int n = __syncthreads_count(in[t] > 10);
    int all = __syncthreads_and(in[t] >= 0);
    int any = __syncthreads_or(in[t] == 77);
    out[t] = n * 4 + (all ? 2 : 0) + (any ? 1 : 0);
}

// Two warps at two barriers of the same number: a GPU lets both go on.
extern "C" __global__ void different_places(int* out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t < 32) {
        s[t] = t;
        __syncthreads();
    } else {
        s[t] = 2 * t;
        __syncthreads();
        s[t] += 1;
    }
    out[t] = s[63 - t];
}

// Lanes of one warp at two barriers.
extern "C" __global__ void different_lanes(int* out)
{
    int t = threadIdx.x;
    if (t % 2) {
        out[t] = 1;
        __syncthreads();
    } else {
        out[t] = 2;
        __syncthreads();
        out[t] = 3;
    }
}

extern "C" __global__ void left_before(int* out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t >= n)
        return;
    s[t] = t;
    __syncthreads();
    out[t] = s[0];
}

// Half of each warp arrives later than the other, at the same place: Volta and later count threads.
extern "C" __global__ void same_place_apart(int* out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    int v = 0;
    for (int k = 0; k < (t & 1 ? 40 : 3); ++k) v = v * 5 + k;
    s[t] = v;
    __syncthreads();
    out[t] = s[t ^ 1];
}

// Named barriers: the first two warps hand over to the others.
extern "C" __global__ void hand_over(int* out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t < 64) {
        s[t] = 10 * t;
        asm volatile("bar.arrive 1, 128;" ::: "memory");
    } else {
        asm volatile("bar.sync 1, 128;" ::: "memory");
        out[t - 64] = s[127 - t];
    }
}

// Warp 0 waits at barrier 1, warp 1 at barrier 2, each for both warps.
extern "C" __global__ void crossed(int* out)
{
    if (threadIdx.x < 32)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    else
        asm volatile("bar.sync 2, 64;" ::: "memory");
    out[threadIdx.x] = 1;
}
