// 256 bins of bytes: atomics on global memory and on shared memory.

extern "C" __global__ void global_atomics(const unsigned char* in, unsigned* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[in[i]], 1u);
}

extern "C" __global__ void shared_atomics(const unsigned char* in, unsigned* bins, int n) {
  __shared__ unsigned own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  const int first = blockIdx.x * blockDim.x * 1024 + threadIdx.x;
  for (int k = 0; k < 1024; ++k)
    if (first + k * 256 < n) atomicAdd(&own[in[first + k * 256]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
