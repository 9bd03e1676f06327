// kernel: vector_add
// launch: grid=(4096,1,1) block=(256,1,1)
// args: c=buf:f32[1048576]:uninit; a=buf:f32[1048576]:mod(7); b=buf:f32[1048576]:mod(5); n=i32:1048576

extern "C" __global__ void vector_add(float* c, const float* a, const float* b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
