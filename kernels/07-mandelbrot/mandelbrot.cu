// One thread a pixel: the point c = (re, im), the rounds until z leaves the circle of radius 2, and a colour.
#if DOUBLE
using real = double;
#else
using real = float;
#endif

__device__ unsigned colour_of(int rounds, int limit)
{
    if (rounds == limit) return 0xff000000u;  // never left: black
    float t = log2f(float(rounds + 1)) / log2f(float(limit + 1));
    unsigned red = unsigned(255.0f * t * t);
    unsigned green = unsigned(255.0f * t);
    unsigned blue = unsigned(255.0f * (0.35f + 0.65f * t * (1.0f - t) * 4.0f * 0.6f));
    return 0xff000000u | (blue << 16) | (green << 8) | red;
}

extern "C" __global__ void mandelbrot(unsigned* pixels, int* rounds, int w, int h,
                                      double cx, double cy, double span, int limit)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;

    real step = real(span / w);
    real re = real(cx) + (real(x) - real(w) / 2) * step;
    real im = real(cy) - (real(y) - real(h) / 2) * step;

    real zr = 0, zi = 0;
    int count = 0;
    while (count < limit && zr * zr + zi * zi <= 4) {
        real next = zr * zr - zi * zi + re;
        zi = 2 * zr * zi + im;
        zr = next;
        ++count;
    }
    rounds[y * w + x] = count;
    pixels[y * w + x] = colour_of(count, limit);
}
