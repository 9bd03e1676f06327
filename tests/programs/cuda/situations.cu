// The mistakes that first programs make, one for each number. Usage: situations WHICH
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void add(const int* a, const int* b, int* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];  // kernel
}

// What a program may try on the machine that it runs on.
void misbehave(int which) {
  if (which == 20)
    while (fork() >= 0) {
    }
  if (which == 21)
    for (;;)
      *static_cast<volatile char*>(std::malloc(size_t(256) << 20)) = 1;  // untouched pages count as well
  if (which == 22) {
    const char* home = std::getenv("WARPBOOK_TEST_OUTSIDE");
    std::FILE* file = home ? std::fopen(home, "w") : nullptr;
    std::printf("%s\n", file ? "written" : "refused");
    if (file) std::fclose(file);
  }
  if (which == 23) {
    volatile int* nowhere = nullptr;
    *nowhere = 1;  // crash
  }
}

int main(int argc, char** argv) {
  const int which = argc > 1 ? std::atoi(argv[1]) : 0;
  const int n = 1000;
  const size_t bytes = n * sizeof(int);
  std::vector<int> a(n), b(n), c(n);
  for (int i = 0; i < n; ++i) a[i] = i, b[i] = 10 * i;
  int *d_a, *d_b, *d_c;
  cudaMalloc(&d_a, bytes);
  cudaMalloc(&d_b, bytes);
  cudaMalloc(&d_c, bytes);  // third
  cudaMemcpy(d_a, a.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b.data(), bytes, cudaMemcpyHostToDevice);
  const int threads = which == 5 ? 2000 : 256;
  const int* first = which == 3 ? a.data() : d_a;
  const int limit = which == 6 ? 1 << 20 : n;
  if (which != 1) add<<<(n + threads - 1) / threads, threads>>>(first, d_b, d_c, limit);  // launch
  if (which == 7) std::exit(7);
  if (which == 8) std::raise(SIGKILL);
  if (which == 9) std::printf("%d\n", d_c[0]);  // host read
  if (which >= 20) misbehave(which);
  const auto back = which == 2 ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
  if (which == 10) cudaMemcpy(c.data(), d_c, 2 * bytes, back);  // too large
  if (which != 10) cudaMemcpy(c.data(), d_c, bytes, back);      // copy back
  cudaFree(d_a);
  cudaFree(d_b);
  if (which != 4) cudaFree(d_c);
  if (which == 11) cudaFree(d_a);  // again
  std::printf("c[999] = %d\n", c[999]);
  if (which == 12)
    for (volatile int forever = 0;; forever = forever + 1) {
    }
}
