// fails: counter global_load_sectors_per_request
extern "C" __global__ void transpose(const float* in, float* out, int w, int h)
{
    int column = blockIdx.y * TILE + threadIdx.x;
    int row = blockIdx.x * TILE + threadIdx.y;
    if (column < h && row < w) {
        out[row * h + column] = in[column * w + row];
    }
}
