// The limit is an argument: the program is the same for every frame.
extern "C" __global__ void passed(unsigned* pixels, int w, int h, float cx, float cy, float span, int limit)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;

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
    unsigned grey = count == limit ? 0u : 255u - 255u * count / limit;
    pixels[y * w + x] = 0xff000000u | (grey << 16) | (grey << 8) | grey;
}
