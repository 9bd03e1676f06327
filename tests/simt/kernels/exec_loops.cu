// Loops that never end, and loops that only take long.

extern "C" __global__ void for_ever(int* out)
{
    for (;;) { }
}

extern "C" __global__ void nobody_sets_the_flag(volatile int* flag, int* out)
{
    while (*flag == 0) { }
    out[threadIdx.x] = 1;
}

extern "C" __global__ void lock_kept(int* lock, int* sum, const int* a)
{
    while (atomicCAS(lock, 0, 1) != 0) { }
    __threadfence();
    if (a[blockIdx.x] < 0) return;
    volatile int* s = sum;
    *s = *s + a[blockIdx.x];
    __threadfence();
    atomicExch(lock, 0);
}

// Writes all the time, and always the same.
extern "C" __global__ void same_write(volatile int* out, int step)
{
    int i = 0;
    while (i < 10) {
        out[threadIdx.x] = 5;
        i += step;
    }
    out[threadIdx.x] = i;
}

// Goes round in states of period 6 with loops inside.
extern "C" __global__ void long_period(int* out, int n)
{
    int state = 1;
    while (state != n) {
        for (int k = 0; k < 50; ++k) state = (state * 3) % 7;
    }
    out[0] = state;
}

extern "C" __global__ void long_work(unsigned* out, unsigned long long n)
{
    unsigned x = 1;
    for (unsigned long long i = 0; i < n; ++i)
        x = x * 1664525u + 1013904223u;
    out[threadIdx.x] = x;
}

extern "C" __global__ void one_warp_spins(volatile int* flag, int* out)
{
    if (threadIdx.x < 32) {
        while (*flag == 0) { }
    }
    __syncthreads();
    out[threadIdx.x] = 1;
}

extern "C" __global__ void sleeps(volatile int* flag, int* out)
{
    if (threadIdx.x == 0) {
        int naps = 0;
        while (*flag == 0) { __nanosleep(100); ++naps; }
        out[0] = naps > 0 ? 1 : 2;
    }
    if (threadIdx.x == 32) {
        for (int k = 0; k < 1000; ++k) out[1] = k;
        __threadfence();
        *flag = 1;
    }
}

extern "C" __global__ void sleeps_for_ever(volatile int* flag)
{
    while (*flag == 0) __nanosleep(100);
}
