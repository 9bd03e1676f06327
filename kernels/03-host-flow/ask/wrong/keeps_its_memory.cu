// fails: leak
// All is asked for, and nothing is given back.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void add(const int* a, const int* b, int* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
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
  check(cudaMalloc(&d_a, bytes), "memory for a");
  check(cudaMalloc(&d_b, bytes), "memory for b");
  check(cudaMalloc(&d_c, bytes), "memory for c");
  check(cudaMemcpy(d_a, a.data(), bytes, cudaMemcpyHostToDevice), "copying a");
  check(cudaMemcpy(d_b, b.data(), bytes, cudaMemcpyHostToDevice), "copying b");

  const int threads = 256, blocks = (n + threads - 1) / threads;
  add<<<blocks, threads>>>(d_a, d_b, d_c, n);
  check(cudaGetLastError(), "launching add");
  check(cudaDeviceSynchronize(), "running add");

  check(cudaMemcpy(c.data(), d_c, bytes, cudaMemcpyDeviceToHost), "copying c back");

  long long check = 0;
  for (int i = 0; i < n; ++i) check += (i % 10 + 1LL) * c[i];
  std::printf("c[0] = %d, c[%d] = %d, check %lld\n", c[0], n - 1, c[n - 1], check);
}
