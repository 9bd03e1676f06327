// kernel: far
// launch: grid=(4,1,1) block=(128,1,1)
// args: out=buf:f32[100]:zeros; n=i32:268435456
// A write far past the end: on a GPU an illegal address.
extern "C" __global__ void far(float* out, int n)
{
    out[(size_t)n * 16 + threadIdx.x] = 1.0f;
}
