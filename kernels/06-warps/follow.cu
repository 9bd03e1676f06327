// Each thread takes `hops` hops through a table of numbers; groups of threads take turns in the choice of table.
extern "C" __global__ void follow(const int* near, const int* far, int* out, int group, int hops)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int at = i;
    if (i / group % 2 == 0) {
#pragma unroll 1
        for (int k = 0; k < hops; ++k) {
            at = near[at];
        }
    } else {
#pragma unroll 1
        for (int k = 0; k < hops; ++k) {
            at = far[at];
        }
    }
    out[i] = at;
}
