// Who learns of an error, and when. Usage: errors FAULT
#include <cstdio>
#include <cstdlib>

__global__ void count_up(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i;
}

void tell(const char* when, cudaError_t error) { std::printf("%-28s %s\n", when, cudaGetErrorName(error)); }

int main(int argc, char** argv) {
  const int fault = argc > 1 ? std::atoi(argv[1]) : 0;
  const int n = 1000;
  const int threads = fault == 1 ? 2000 : 256;     // 1: more threads than a block can have
  const int guarded = fault == 2 ? 1 << 20 : n;    // 2: the guard lets everybody through

  int* d_out;
  tell("cudaMalloc", cudaMalloc(&d_out, n * sizeof(int)));
  count_up<<<(n + threads - 1) / threads, threads>>>(d_out, guarded);
  tell("asked after the launch", cudaGetLastError());
  tell("cudaDeviceSynchronize", cudaDeviceSynchronize());

  int last = -1;
  tell("cudaMemcpy", cudaMemcpy(&last, d_out + n - 1, sizeof(int), cudaMemcpyDeviceToHost));
  tell("cudaFree", cudaFree(d_out));
  std::printf("the last number is %d\n", last);
}
