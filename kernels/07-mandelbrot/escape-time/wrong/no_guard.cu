// fails: oob-write
extern "C" __global__ void escape_time(int* rounds, int w, int h, float cx, float cy, float span, int limit)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;

    float step = span / w;
    float re = cx + (x - w / 2.0f) * step;
    float im = cy - (y - h / 2.0f) * step;

    float zr = 0.0f, zi = 0.0f;
    int count = 0;
    while (count < limit && zr * zr + zi * zi <= 4.0f) {
        float next = zr * zr - zi * zi + re;
        zi = 2.0f * zr * zi + im;
        zr = next;
        ++count;
    }
    rounds[y * w + x] = count;
}
