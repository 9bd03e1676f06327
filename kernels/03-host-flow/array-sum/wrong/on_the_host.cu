// fails: kernels
// The kernel has run, but the printed sum is the host's.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void sum(const int* a, int* total, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(total, a[i]);
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1000;
  std::vector<int> a(n);
  for (int i = 0; i < n; ++i) a[i] = i * 7 % 13;

  int *d_a, *d_total;
  cudaMalloc(&d_a, n * sizeof(int));
  cudaMalloc(&d_total, sizeof(int));
  cudaMemcpy(d_a, a.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_total, 0, sizeof(int));

  const int threads = 256;
  sum<<<(n + threads - 1) / threads, threads>>>(d_a, d_total, n);

  int total = 0;
  cudaMemcpy(&total, d_total, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(d_a);
  cudaFree(d_total);
  total = 0;
  for (const int x : a) total += x;
  std::printf("sum = %d\n", total);
}
