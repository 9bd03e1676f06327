// kernel: failed_assert
// launch: grid=(1,1,1) block=(32,1,1)
// args: out=buf:i32[32]:zeros
#include <cassert>
extern "C" __global__ void failed_assert(int* out)
{
    assert(threadIdx.x < 16);
    out[threadIdx.x] = 1;
}
