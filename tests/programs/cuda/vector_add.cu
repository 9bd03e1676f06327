// The sum of two vectors, element by element.
#include <vector>

#include "ask.h"

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

int main() {
  const int n = 5000;
  const size_t bytes = n * sizeof(float);
  std::vector<float> a(n), b(n), c(n);
  for (int i = 0; i < n; ++i) a[i] = 0.5f * i, b[i] = 1000.0f - i;
  float *d_a, *d_b, *d_c;
  ASK(cudaMalloc(&d_a, bytes));
  ASK(cudaMalloc(&d_b, bytes));
  ASK(cudaMalloc(&d_c, bytes));
  ASK(cudaMemcpy(d_a, a.data(), bytes, cudaMemcpyHostToDevice));
  ASK(cudaMemcpy(d_b, b.data(), bytes, cudaMemcpyHostToDevice));
  add<<<(n + 255) / 256, 256>>>(d_a, d_b, d_c, n);
  ASK(cudaGetLastError());
  ASK(cudaMemcpy(c.data(), d_c, bytes, cudaMemcpyDeviceToHost));
  ASK(cudaFree(d_a));
  ASK(cudaFree(d_b));
  ASK(cudaFree(d_c));
  bool right = true;
  for (int i = 0; i < n; ++i) right = right && c[i] == a[i] + b[i];
  return verdict(right);
}
