// Right, for every size of a block. But each warp takes part in every level, most of its lanes idle.
extern "C" __global__ void row_sums(const int* in, int* out, int rows, int columns)
{
    extern __shared__ int s[];  // blockDim.x cells
    int t = threadIdx.x;
    int row = blockIdx.x;
    int mine = 0;
    for (int c = t; c < columns; c += blockDim.x) {
        mine += in[row * columns + c];
    }
    s[t] = mine;
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
        if (t % (2 * d) == 0 && t + d < blockDim.x) {
            s[t] += s[t + d];
        }
        __syncthreads();
    }
    if (t == 0) {
        out[row] = s[0];
    }
}
