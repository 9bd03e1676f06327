// printf from device code.

extern "C" __global__ void formats(long long big, double x, const char* nothing)
{
    printf("%d %i %u %x %X %o|", -5, 42, 7u, 0xbeef, 0xbeef, 8);
    printf("%5d|%-5d|%05d|%+d|% d|%.3d|", 42, 42, 42, 42, 42, 7);
    printf("%c%c %s %10s|%-10s|%.2s|", 'o', 'k', "text", "right", "left", "cut");
    printf("%f %.2f %e %g %a|", x, x, x, x, 1.0);
    printf("%ld %lld %llu %llx %hd %hhd|", big, big, (unsigned long long)big, big, (short)-3, (signed char)-4);
    printf("%*d|%-*d|%.*f|%%|%p\n", 6, 1, 4, 2, 1, x, (void*)16);
}

extern "C" __global__ void in_order(int rounds)
{
    for (int k = 0; k < rounds; ++k)
        printf("b%d t%d k%d\n", blockIdx.x, threadIdx.x, k);
}

extern "C" __global__ void no_arguments(int* out)
{
    out[threadIdx.x] = printf("hello\n") * 0 + printf("%d %d\n", 1, 2);
}
