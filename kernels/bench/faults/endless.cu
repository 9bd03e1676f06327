// kernel: endless
// launch: grid=(1,1,1) block=(32,1,1)
// args: out=buf:i32[32]:zeros
// Nobody writes what the loop waits for.
extern "C" __global__ void endless(volatile int* out)
{
    while (out[threadIdx.x] == 0) {}
}
