// Four parts of an array in two streams, from pinned memory, each copied, worked on and copied back.
#include "ask.h"

__global__ void square(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= data[i];
}

int main() {
  const int parts = 4, n = 1000;
  int *data, *d_data;
  ASK(cudaMallocHost(&data, parts * n * sizeof(int)));
  ASK(cudaMalloc(&d_data, parts * n * sizeof(int)));
  for (int i = 0; i < parts * n; ++i) data[i] = i % 1000;
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) ASK(cudaStreamCreate(&stream));
  for (int part = 0; part < parts; ++part) {
    const cudaStream_t stream = streams[part % 2];
    const int at = part * n;
    ASK(cudaMemcpyAsync(d_data + at, data + at, n * sizeof(int), cudaMemcpyHostToDevice, stream));
    square<<<(n + 127) / 128, 128, 0, stream>>>(d_data + at, n);
    ASK(cudaMemcpyAsync(data + at, d_data + at, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
  }
  ASK(cudaGetLastError());
  for (const cudaStream_t stream : streams) ASK(cudaStreamSynchronize(stream));
  bool right = true;
  for (int i = 0; i < parts * n; ++i) right = right && data[i] == (i % 1000) * (i % 1000);
  for (const cudaStream_t stream : streams) ASK(cudaStreamDestroy(stream));
  ASK(cudaFreeHost(data));
  ASK(cudaFree(d_data));
  return verdict(right);
}
