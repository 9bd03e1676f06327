// kernel: trapped
// launch: grid=(1,1,1) block=(32,1,1)
// args: out=buf:i32[32]:zeros
extern "C" __global__ void trapped(int* out)
{
    if (threadIdx.x == 7) __trap();
    out[threadIdx.x] = 1;
}
