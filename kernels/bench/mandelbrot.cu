// kernel: mandelbrot
// launch: grid=(16,64,1) block=(32,8,1)
// args: out=buf:i32[262144]:uninit; width=i32:512; height=i32:512; iterations=i32:256

extern "C" __global__ void mandelbrot(int* out, int width, int height, int iterations)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float cx = -2.0f + 3.0f * float(x) / float(width);
    float cy = -1.5f + 3.0f * float(y) / float(height);
    float zx = 0.0f, zy = 0.0f;
    int count = 0;
    while (count < iterations && zx * zx + zy * zy < 4.0f) {
        float next = zx * zx - zy * zy + cx;
        zy = 2.0f * zx * zy + cy;
        zx = next;
        ++count;
    }
    out[y * width + x] = count;
}
