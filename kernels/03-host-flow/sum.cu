// Adds up an array: every thread adds its element to one total. Usage: sum N THREADS ZEROED
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void sum(const int* a, int* total, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(total, a[i]);
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1000;
  const int threads = argc > 2 ? std::atoi(argv[2]) : 256;
  const bool zeroed = argc > 3 ? std::atoi(argv[3]) : true;

  std::vector<int> a(n);
  for (int i = 0; i < n; ++i) a[i] = i + 1;

  int *d_a, *d_total;
  cudaMalloc(&d_a, n * sizeof(int));
  cudaMalloc(&d_total, sizeof(int));
  cudaMemcpy(d_a, a.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  if (zeroed) cudaMemset(d_total, 0, sizeof(int));

  sum<<<(n + threads - 1) / threads, threads>>>(d_a, d_total, n);

  int total = -1;
  cudaMemcpy(&total, d_total, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(d_a);
  cudaFree(d_total);
  std::printf("the sum of 1 to %d is %d\n", n, total);
}
