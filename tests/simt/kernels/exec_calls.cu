// Calls: by value, through pointers, recursive.

struct Pair { double x; int k[3]; };

__device__ __noinline__ Pair mix(Pair p, char c, short s, int factor)
{
    Pair r;
    r.x = p.x * factor + c;
    for (int i = 0; i < 3; ++i) r.k[i] = p.k[2 - i] + s;
    return r;
}

extern "C" __global__ void by_value(double* out, int* ints)
{
    int t = threadIdx.x;
    Pair p = {1.5 * t, {t, t + 1, t + 2}};
    if (t % 3 == 1) p = mix(p, (char)(t - 8), (short)(-t), 2);
    else p = mix(p, 3, 4, 5);
    out[t] = p.x;
    for (int i = 0; i < 3; ++i) ints[3 * t + i] = p.k[i];
}

__device__ __noinline__ int add_one(int x) { return x + 1; }
__device__ __noinline__ int times_three(int x) { return 3 * x; }
__device__ __noinline__ int negated(int x) { return -x; }
typedef int (*Step)(int);
__device__ Step steps[3] = {add_one, times_three, negated};

extern "C" __global__ void through_pointers(int* out, const int* which)
{
    int t = threadIdx.x;
    out[t] = steps[which[t]](t + 10);
}

extern "C" __global__ void null_function(int* out, long long address)
{
    Step step = (Step)address;
    out[threadIdx.x] = step(1);
}

__device__ __noinline__ int fibonacci(int n)
{
    if (n < 2) return n;
    return fibonacci(n - 1) + fibonacci(n - 2);
}

extern "C" __global__ void recursion(int* out)
{
    out[threadIdx.x] = fibonacci(threadIdx.x % 12);
}

__device__ __noinline__ int endless(int n, int* p)
{
    return endless(n + 1, p) + p[n & 1];
}

extern "C" __global__ void too_deep(int* out)
{
    out[threadIdx.x] = endless(0, out);
}

__device__ __noinline__ void leave_from_inside(int* out, int t)
{
    if (t % 4 == 2) asm volatile("exit;");
    out[t] = t + 1;
}

extern "C" __global__ void exit_in_function(int* out)
{
    int t = threadIdx.x;
    leave_from_inside(out, t);
    out[t] += 100;
}

extern "C" __global__ void asserts(const int* in)
{
    assert(in[threadIdx.x] < 7);
}

extern "C" __global__ void traps(int n)
{
    if (threadIdx.x == n) __trap();
}
