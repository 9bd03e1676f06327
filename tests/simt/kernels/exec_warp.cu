// Exchange within a warp.

extern "C" __global__ void shuffles(int* out, const int* in, int distance, int width)
{
    int t = threadIdx.x;
    int v = in[t];
    out[t] = __shfl_up_sync(0xffffffffu, v, distance, width);
    out[t + 32] = __shfl_down_sync(0xffffffffu, v, distance, width);
    out[t + 64] = __shfl_xor_sync(0xffffffffu, v, distance, width);
    out[t + 96] = __shfl_sync(0xffffffffu, v, distance, width);
}

extern "C" __global__ void votes(int* out, const int* in)
{
    int t = threadIdx.x;
    bool p = in[t] > 5;
    unsigned mask = t < 20 ? 0x000fffffu : 0xfff00000u;
    out[t] = (int)__ballot_sync(mask, p);
    out[t + 32] = __any_sync(mask, p) + 2 * __all_sync(mask, p) + 4 * __uni_sync(mask, p);
    out[t + 64] = (int)__match_any_sync(mask, in[t]);
    int same = 0;
    out[t + 96] = (int)__match_all_sync(mask, in[t] & 0x100, &same);
    out[t + 128] = same;
    out[t + 160] = (int)__match_any_sync(0xffffffffu, (unsigned long long)in[t] << 40);
}

extern "C" __global__ void reductions(int* out, const int* in)
{
    int t = threadIdx.x;
    unsigned mask = t < 8 ? 0xffu : 0xffffff00u;
    out[t] = __reduce_add_sync(mask, in[t]);
    out[t + 32] = __reduce_min_sync(mask, in[t]);
    out[t + 64] = __reduce_max_sync(mask, in[t]);
    out[t + 96] = (int)__reduce_and_sync(mask, (unsigned)in[t]);
    out[t + 128] = (int)__reduce_or_sync(mask, (unsigned)in[t]);
    out[t + 160] = (int)__reduce_xor_sync(mask, (unsigned)in[t]);
    out[t + 192] = (int)__reduce_min_sync(mask, (unsigned)in[t]);
    out[t + 224] = (int)__reduce_max_sync(mask, (unsigned)in[t]);
}

// The lanes come to the shuffle at different times: it waits for all of them.
extern "C" __global__ void late_lanes(int* out)
{
    int t = threadIdx.x;
    int v = t;
    for (int k = 0; k < t * 3; ++k) v = v * 7 + k;
    out[t] = __shfl_sync(0xffffffffu, v, 31 - t) - v;
}

// Tiles of 8 lanes, some of which have left for the branch: each tile waits only for its own.
extern "C" __global__ void tiles(int* out, const int* in)
{
    int t = threadIdx.x;
    unsigned mask = 0xffu << (t & ~7);
    int v = in[t];
    if (v > 0) {
        for (int k = in[t]; k > 0; --k) v += k;
    }
    for (int d = 4; d > 0; d /= 2) v += __shfl_down_sync(mask, v, d, 8);
    out[t] = __shfl_sync(mask, v, 0, 8);
}

extern "C" __global__ void wrong_mask(int* out)
{
    int t = threadIdx.x;
    out[t] = __shfl_sync(0x0000ffffu, t, 3);
}

extern "C" __global__ void inactive(int* out)
{
    int t = threadIdx.x;
    int v = t;
    if (t < 8) {
        v = __shfl_sync(0x000000ffu, v, t + 4);
    }
    out[t] = v;
}

// Lane 40 of a block with 40 threads does not exist.
extern "C" __global__ void part_of_a_warp(int* out)
{
    int t = threadIdx.x;
    out[t] = __shfl_down_sync(0xffffffffu, t, 1);
}

extern "C" __global__ void active(int* out)
{
    int t = threadIdx.x;
    if (t % 3 == 0) out[t] = (int)__activemask();
}

// Lane 0 writes, the others read after __syncwarp, which they reach at another place.
extern "C" __global__ void warp_barriers(int* out)
{
    __shared__ volatile int s;
    int t = threadIdx.x;
    if (t == 0) {
        s = 99;
        __syncwarp();
    } else {
        __syncwarp();
        out[t] = s;
    }
}

// Half of the warp waits for lanes that wait elsewhere.
extern "C" __global__ void stuck_shuffle(int* out)
{
    int t = threadIdx.x;
    if (t < 16)
        out[t] = __shfl_sync(0xffffffffu, t, 0);
    else
        out[t] = __any_sync(0xffffffffu, t == 20);
}
