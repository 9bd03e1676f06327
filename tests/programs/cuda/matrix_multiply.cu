// A product of matrices by tiles in shared memory, timed with events.
#include <vector>

#include "ask.h"

constexpr int tile = 16;

__global__ void multiply(const float* a, const float* b, float* c, int n) {
  __shared__ float part_a[tile][tile], part_b[tile][tile];
  const int row = blockIdx.y * tile + threadIdx.y, column = blockIdx.x * tile + threadIdx.x;
  float sum = 0;
  for (int start = 0; start < n; start += tile) {
    part_a[threadIdx.y][threadIdx.x] = a[row * n + start + threadIdx.x];
    part_b[threadIdx.y][threadIdx.x] = b[(start + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum += part_a[threadIdx.y][k] * part_b[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

int main() {
  const int n = 64;
  const size_t bytes = n * n * sizeof(float);
  std::vector<float> a(n * n), b(n * n), c(n * n);
  for (int i = 0; i < n * n; ++i) a[i] = float(i % 7), b[i] = float(i % 5 - 2);
  float *d_a, *d_b, *d_c;
  ASK(cudaMalloc(&d_a, bytes));
  ASK(cudaMalloc(&d_b, bytes));
  ASK(cudaMalloc(&d_c, bytes));
  ASK(cudaMemcpy(d_a, a.data(), bytes, cudaMemcpyHostToDevice));
  ASK(cudaMemcpy(d_b, b.data(), bytes, cudaMemcpyHostToDevice));
  cudaEvent_t start, stop;
  ASK(cudaEventCreate(&start));
  ASK(cudaEventCreate(&stop));
  ASK(cudaEventRecord(start));
  multiply<<<dim3(n / tile, n / tile), dim3(tile, tile)>>>(d_a, d_b, d_c, n);
  ASK(cudaGetLastError());
  ASK(cudaEventRecord(stop));
  ASK(cudaEventSynchronize(stop));
  float ms = 0;
  ASK(cudaEventElapsedTime(&ms, start, stop));
  ASK(cudaMemcpy(c.data(), d_c, bytes, cudaMemcpyDeviceToHost));
  ASK(cudaEventDestroy(start));
  ASK(cudaEventDestroy(stop));
  ASK(cudaFree(d_a));
  ASK(cudaFree(d_b));
  ASK(cudaFree(d_c));
  bool right = ms > 0;
  for (int row = 0; row < n; ++row) {
    for (int column = 0; column < n; ++column) {
      float sum = 0;
      for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
      right = right && c[row * n + column] == sum;
    }
  }
  return verdict(right);
}
