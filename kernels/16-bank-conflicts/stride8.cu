// One warp. Lane t reads the cell t * stride of shared memory; a cell has 8 bytes.
extern "C" __global__ void stride(int* out, int step)
{
    __shared__ double s[31 * 64 + 1];
    int t = threadIdx.x;
    for (int k = t; k <= 31 * 64; k += 32) {
        s[k] = k;
    }
    __syncthreads();
    out[t] = s[t * step];
}
