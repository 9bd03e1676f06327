// Managed memory and a managed variable: one pointer for host and device.
#include "ask.h"

__managed__ int factor = 3;

__global__ void scale(float* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= factor;
}

int main() {
  const int n = 2000;
  float* data;
  ASK(cudaMallocManaged(&data, n * sizeof(float)));
  for (int i = 0; i < n; ++i) data[i] = float(i);
  bool right = factor == 3;
  factor = 5;
  scale<<<(n + 255) / 256, 256>>>(data, n);
  ASK(cudaGetLastError());
  ASK(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) right = right && data[i] == 5.0f * i;
  ASK(cudaFree(data));
  return verdict(right);
}
