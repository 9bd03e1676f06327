// A warp gets a tile of 8 by 4 pixels: neighbours in both directions need nearly as many rounds.
// The rounds of one point; the same for everybody.
__device__ int rounds_of(float re, float im, int limit)
{
    float zr = 0.0f, zi = 0.0f;
    int count = 0;
    while (count < limit && zr * zr + zi * zi <= 4.0f) {
        float next = zr * zr - zi * zi + re;
        zi = 2.0f * zr * zi + im;
        zr = next;
        ++count;
    }
    return count;
}

extern "C" __global__ void full_warps(int* rounds, int w, int h, float cx, float cy, float span, int limit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int warp = i / 32, lane = i % 32;
    int tiles_a_row = (w + 7) / 8;
    int x = warp % tiles_a_row * 8 + lane % 8;
    int y = warp / tiles_a_row * 4 + lane / 8;

    if (x < w && y < h) {
        float step = span / w;
        float re = cx + (x - w / 2.0f) * step;
        float im = cy - (y - h / 2.0f) * step;
        rounds[y * w + x] = rounds_of(re, im, limit);
    }
}
