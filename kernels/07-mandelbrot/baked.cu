// The limit is a constant of the program: LIMIT comes from the compiler's command line.
extern "C" __global__ void baked(unsigned* pixels, int w, int h, float cx, float cy, float span)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;

    float step = span / w;
    float re = cx + (x - w / 2.0f) * step;
    float im = cy - (y - h / 2.0f) * step;
    float zr = 0.0f, zi = 0.0f;
    int count = 0;
    while (count < LIMIT && zr * zr + zi * zi <= 4.0f) {
        float next = zr * zr - zi * zi + re;
        zi = 2.0f * zr * zi + im;
        zr = next;
        ++count;
    }
    unsigned grey = count == LIMIT ? 0u : 255u - 255u * count / LIMIT;
    pixels[y * w + x] = 0xff000000u | (grey << 16) | (grey << 8) | grey;
}
