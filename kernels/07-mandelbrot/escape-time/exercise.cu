// For each pixel, count the rounds of z = z * z + c until |z| is more than 2, at most limit.
extern "C" __global__ void escape_time(int* rounds, int w, int h, float cx, float cy, float span, int limit)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;

    float step = span / w;
    float re = cx + (x - w / 2.0f) * step;
    float im = cy - (y - h / 2.0f) * step;

    int count = 0;
    // Your loop goes here: z starts at 0, and c is (re, im).
    if (re * re + im * im <= 4.0f) count = limit;
    rounds[y * w + x] = count;
}
