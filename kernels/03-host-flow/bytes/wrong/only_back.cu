// fails: uninit-read
// The way back is mended, the ways in are not.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void add(const int* a, const int* b, int* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1000;
  std::vector<int> a(n), b(n), c(n);
  for (int i = 0; i < n; ++i) {
    a[i] = i;
    b[i] = 3 * i + 1;
  }
  const size_t bytes = n * sizeof(int);

  int *d_a, *d_b, *d_c;
  cudaMalloc(&d_a, bytes);
  cudaMalloc(&d_b, bytes);
  cudaMalloc(&d_c, bytes);
  cudaMemcpy(d_a, a.data(), n, cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b.data(), n, cudaMemcpyHostToDevice);

  const int threads = 256, blocks = (n + threads - 1) / threads;
  add<<<blocks, threads>>>(d_a, d_b, d_c, n);

  cudaMemcpy(c.data(), d_c, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);

  long long check = 0;
  for (int i = 0; i < n; ++i) check += (i % 10 + 1LL) * c[i];
  std::printf("c[0] = %d, c[%d] = %d, check %lld\n", c[0], n - 1, c[n - 1], check);
}
