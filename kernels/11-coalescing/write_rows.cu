// Turns w by h into h by w. Neighbouring lanes write along a row, and read down a column.
extern "C" __global__ void transpose(const float* in, float* out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < h && y < w) {
        out[y * h + x] = in[x * w + y];
    }
}
