// A sum in two launches: blocks in shared memory, then their sums.
#include <vector>

#include "ask.h"

__global__ void reduce(const int* in, int* out, int n) {
  extern __shared__ int part[];
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  part[threadIdx.x] = sum;
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

int main() {
  const int n = 20000, blocks = 32, threads = 128;
  std::vector<int> in(n);
  long long wanted = 0;
  for (int i = 0; i < n; ++i) wanted += in[i] = i * 37 % 101;
  int *d_in, *d_parts;
  ASK(cudaMalloc(&d_in, n * sizeof(int)));
  ASK(cudaMalloc(&d_parts, (blocks + 1) * sizeof(int)));
  ASK(cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  reduce<<<blocks, threads, threads * sizeof(int)>>>(d_in, d_parts, n);
  reduce<<<1, threads, threads * sizeof(int)>>>(d_parts, d_parts + blocks, blocks);
  ASK(cudaGetLastError());
  int sum = 0;
  ASK(cudaMemcpy(&sum, d_parts + blocks, sizeof(int), cudaMemcpyDeviceToHost));
  ASK(cudaFree(d_in));
  ASK(cudaFree(d_parts));
  return verdict(sum == wanted);
}
