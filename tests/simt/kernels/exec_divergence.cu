// Kernels whose lanes part and meet again.

extern "C" __global__ void collatz(int* steps)
{
    unsigned n = threadIdx.x + blockIdx.x * blockDim.x + 1;
    int count = 0;
    while (n != 1) {
        if (n % 2) n = 3 * n + 1;
        else n = n / 2;
        ++count;
    }
    steps[threadIdx.x + blockIdx.x * blockDim.x] = count;
}

extern "C" __global__ void four_ways(int* out, const int* in)
{
    int i = threadIdx.x;
    int v = in[i];
    switch (v & 3) {
    case 0: v = v * 3 + 1; break;
    case 1: v = v ^ 0x55; break;
    case 2: if (v > 16) v -= 7; else v += 100; break;
    default: for (int k = 0; k < i; ++k) v += k * v; break;
    }
    out[i] = v;
}

// The lanes that leave the loop early must wait for the others behind it: the last line runs once.
extern "C" __global__ void meet_after_loop(int* out, const int* rounds)
{
    int n = rounds[threadIdx.x];
    int sum = 0;
    for (int k = 0; k < n; ++k)
        sum = sum * 3 + k;
    out[threadIdx.x] = sum;
}

// One lane holds the lock that its neighbours wait for.
extern "C" __global__ void spin_lock(int* lock, int* counter)
{
    while (atomicCAS(lock, 0, 1) != 0) { }
    __threadfence();
    volatile int* c = counter;
    *c = *c + 1;
    __threadfence();
    atomicExch(lock, 0);
}

// Lane 0 waits for what lane 1 does later in the code.
extern "C" __global__ void produce_and_consume(volatile int* flag, volatile int* value, int* out)
{
    if (threadIdx.x == 0) {
        while (*flag == 0) { }
        *out = *value;
    } else if (threadIdx.x == 1) {
        *value = 42;
        __threadfence();
        *flag = 1;
    }
}

extern "C" __global__ void leave_early(int* out, int n)
{
    int i = threadIdx.x;
    if (i >= n) return;
    if (i == 3) return;
    out[i] = i;
}
