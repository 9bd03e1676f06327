// Work of the host between work of the device, in the order of a stream.
#include "ask.h"

__global__ void double_it(int* value) { *value *= 2; }

struct Noted {
  int* value;
  int seen = -1;
};

void note(void* data) {
  Noted* noted = static_cast<Noted*>(data);
  noted->seen = *noted->value;
}

int main() {
  int *value, *d_value;
  ASK(cudaMallocHost(&value, sizeof(int)));
  ASK(cudaMalloc(&d_value, sizeof(int)));
  *value = 21;
  Noted noted{value};
  cudaStream_t stream;
  ASK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  ASK(cudaMemcpyAsync(d_value, value, sizeof(int), cudaMemcpyHostToDevice, stream));
  double_it<<<1, 1, 0, stream>>>(d_value);
  ASK(cudaMemcpyAsync(value, d_value, sizeof(int), cudaMemcpyDeviceToHost, stream));
  ASK(cudaLaunchHostFunc(stream, note, &noted));
  ASK(cudaStreamSynchronize(stream));
  const bool right = *value == 42 && noted.seen == 42;
  ASK(cudaStreamDestroy(stream));
  ASK(cudaFree(d_value));
  ASK(cudaFreeHost(value));
  return verdict(right);
}
