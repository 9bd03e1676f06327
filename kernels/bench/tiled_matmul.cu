// kernel: tiled_matmul
// launch: grid=(32,32,1) block=(16,16,1)
// args: c=buf:f32[262144]:uninit; a=buf:f32[262144]:mod(7); b=buf:f32[262144]:mod(5); n=i32:512

extern "C" __global__ void tiled_matmul(float* c, const float* a, const float* b, int n)
{
    __shared__ float tile_a[16][16], tile_b[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    int column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
    float sum = 0.0f;
    for (int tile = 0; tile < n; tile += 16) {
        tile_a[y][x] = a[row * n + tile + x];
        tile_b[y][x] = b[(tile + y) * n + column];
        __syncthreads();
        for (int k = 0; k < 16; ++k) sum += tile_a[y][k] * tile_b[k][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
