// How often each byte occurs: one histogram a block in shared memory, added up by atomics.
#include <vector>

#include "ask.h"

__global__ void count(const unsigned char* data, unsigned* bins, int n) {
  __shared__ unsigned own[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) own[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[data[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&bins[i], own[i]);
}

int main() {
  const int n = 30000;
  std::vector<unsigned char> data(n);
  std::vector<unsigned> bins(256), wanted(256);
  for (int i = 0; i < n; ++i) ++wanted[data[i] = static_cast<unsigned char>(i * i % 251)];
  unsigned char* d_data;
  unsigned* d_bins;
  ASK(cudaMalloc(&d_data, n));
  ASK(cudaMalloc(&d_bins, 256 * sizeof(unsigned)));
  ASK(cudaMemset(d_bins, 0, 256 * sizeof(unsigned)));
  ASK(cudaMemcpy(d_data, data.data(), n, cudaMemcpyHostToDevice));
  count<<<8, 128>>>(d_data, d_bins, n);
  ASK(cudaGetLastError());
  ASK(cudaMemcpy(bins.data(), d_bins, 256 * sizeof(unsigned), cudaMemcpyDeviceToHost));
  ASK(cudaFree(d_data));
  ASK(cudaFree(d_bins));
  return verdict(bins == wanted);
}
