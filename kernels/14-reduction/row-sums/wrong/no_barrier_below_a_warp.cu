// fails: race-shared
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
    for (int left = blockDim.x; left > 1; left = (left + 1) / 2) {
        int half = (left + 1) / 2;
        if (t < left - half) {
            s[t] += s[t + half];
        }
        if (left > 64) {
            __syncthreads();
        }
    }
    if (t == 0) {
        out[row] = s[0];
    }
}
