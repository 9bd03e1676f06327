// One kernel for several types, and its sum by shuffles within the warp.
#include <vector>

#include "ask.h"

template <class T>
__global__ void dot(const T* a, const T* b, T* out, int n) {
  T sum = 0;
  for (int i = threadIdx.x; i < n; i += warpSize) sum += a[i] * b[i];
  for (int half = warpSize / 2; half > 0; half /= 2) sum += __shfl_down_sync(0xffffffffu, sum, half);
  if (threadIdx.x == 0) *out = sum;
}

template <class T>
bool try_type() {
  const int n = 777;
  std::vector<T> a(n), b(n);
  T wanted = 0, got = 0;
  for (int i = 0; i < n; ++i) wanted += (a[i] = T(i % 10)) * (b[i] = T(i % 4));
  T *d_a, *d_b, *d_out;
  ASK(cudaMalloc(&d_a, n * sizeof(T)));
  ASK(cudaMalloc(&d_b, n * sizeof(T)));
  ASK(cudaMalloc(&d_out, sizeof(T)));
  ASK(cudaMemcpy(d_a, a.data(), n * sizeof(T), cudaMemcpyHostToDevice));
  ASK(cudaMemcpy(d_b, b.data(), n * sizeof(T), cudaMemcpyHostToDevice));
  dot<T><<<1, 32>>>(d_a, d_b, d_out, n);
  ASK(cudaGetLastError());
  ASK(cudaMemcpy(&got, d_out, sizeof(T), cudaMemcpyDeviceToHost));
  ASK(cudaFree(d_a));
  ASK(cudaFree(d_b));
  ASK(cudaFree(d_out));
  return got == wanted;
}

int main() {
  const bool ints = try_type<int>(), floats = try_type<float>(), doubles = try_type<double>();
  return verdict(ints && floats && doubles);
}
