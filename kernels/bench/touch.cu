// kernel: touch
// launch: grid=(1024,1,1) block=(256,1,1)
// args: data=buf:f32[16777216]:uninit; n=i32:262144

// Writes the first n elements of a large buffer.
extern "C" __global__ void touch(float* data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = float(i);
}
