// A filter whose weights lie in constant memory, and a variable of the device that starts with a value.
#include <vector>

#include "ask.h"

__constant__ int weights[5];
__device__ int offset = 100;

__global__ void filter(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = offset;
  for (int k = -2; k <= 2; ++k)
    if (i + k >= 0 && i + k < n) sum += weights[k + 2] * in[i + k];
  out[i] = sum;
}

int main() {
  const int n = 1500, w[5] = {1, -2, 4, -2, 1};
  std::vector<int> in(n), out(n);
  for (int i = 0; i < n; ++i) in[i] = i * 13 % 50;
  int *d_in, *d_out;
  ASK(cudaMalloc(&d_in, n * sizeof(int)));
  ASK(cudaMalloc(&d_out, n * sizeof(int)));
  ASK(cudaMemcpyToSymbol(weights, w, sizeof w));
  ASK(cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  filter<<<(n + 127) / 128, 128>>>(d_in, d_out, n);
  ASK(cudaGetLastError());
  ASK(cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost));
  int read_back = 0;
  ASK(cudaMemcpyFromSymbol(&read_back, offset, sizeof read_back));
  ASK(cudaFree(d_in));
  ASK(cudaFree(d_out));
  bool right = read_back == 100;
  for (int i = 0; i < n; ++i) {
    int sum = 100;
    for (int k = -2; k <= 2; ++k)
      if (i + k >= 0 && i + k < n) sum += w[k + 2] * in[i + k];
    right = right && out[i] == sum;
  }
  return verdict(right);
}
