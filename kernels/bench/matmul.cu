// kernel: matmul
// launch: grid=(16,64,1) block=(32,8,1)
// args: c=buf:f32[262144]:uninit; a=buf:f32[262144]:mod(7); b=buf:f32[262144]:mod(5); n=i32:512

extern "C" __global__ void matmul(float* c, const float* a, const float* b, int n)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || column >= n) return;
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}
