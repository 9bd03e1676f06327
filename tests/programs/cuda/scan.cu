// Running sums within a block, in two buffers.
#include <vector>

#include "ask.h"

__global__ void scan(int* data, int n) {
  extern __shared__ int both[];
  int from = 0;
  const int i = threadIdx.x;
  both[i] = data[i];
  __syncthreads();
  for (int step = 1; step < n; step *= 2) {
    const int to = n - from;
    both[to + i] = i >= step ? both[from + i] + both[from + i - step] : both[from + i];
    from = to;
    __syncthreads();
  }
  data[i] = both[from + i];
}

int main() {
  const int n = 512;
  std::vector<int> data(n), wanted(n);
  int sum = 0;
  for (int i = 0; i < n; ++i) wanted[i] = sum += data[i] = i % 9 - 2;
  int* d_data;
  ASK(cudaMalloc(&d_data, n * sizeof(int)));
  ASK(cudaMemcpy(d_data, data.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  scan<<<1, n, 2 * n * sizeof(int)>>>(d_data, n);
  ASK(cudaGetLastError());
  ASK(cudaDeviceSynchronize());
  ASK(cudaMemcpy(data.data(), d_data, n * sizeof(int), cudaMemcpyDeviceToHost));
  ASK(cudaFree(d_data));
  return verdict(data == wanted);
}
