// A kernel that works in the host's own memory, mapped into the device's addresses.
#include "ask.h"

__global__ void negate(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = -in[i];
}

int main() {
  const int n = 3000;
  int *in, *out, *d_in, *d_out;
  ASK(cudaHostAlloc(&in, n * sizeof(int), cudaHostAllocMapped));
  ASK(cudaHostAlloc(&out, n * sizeof(int), cudaHostAllocMapped));
  for (int i = 0; i < n; ++i) in[i] = i, out[i] = 7;
  ASK(cudaHostGetDevicePointer(&d_in, in, 0));
  ASK(cudaHostGetDevicePointer(&d_out, out, 0));
  negate<<<(n + 255) / 256, 256>>>(d_in, d_out, n);
  ASK(cudaGetLastError());
  ASK(cudaDeviceSynchronize());
  bool right = true;
  for (int i = 0; i < n; ++i) right = right && out[i] == -i;
  ASK(cudaFreeHost(in));
  ASK(cudaFreeHost(out));
  return verdict(right);
}
