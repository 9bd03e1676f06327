// A counter in shared memory: each block has one of its own.
extern "C" __global__ void count(int* out, int* global_counter)
{
    __shared__ int counter;
    if (threadIdx.x == 0) {
        counter = 0;
    }
    __syncthreads();
    atomicAdd(&counter, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        out[blockIdx.x] = counter;
    }
}
