// The whole flow of an addition. The lab's switches leave a step out.
// Usage: flow N THREADS LAUNCH COPY_BACK DIRECTION FREE
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

int main(int argc, char** argv) {
  auto argument = [&](int at, int otherwise) { return at < argc ? std::atoi(argv[at]) : otherwise; };
  const int n = argument(1, 1000), threads = argument(2, 256);
  const bool launch = argument(3, 1), copy_back = argument(4, 1), swapped = argument(5, 0), give_back = argument(6, 1);

  std::vector<float> a(n), b(n), c(n, -1.0f);  // on the host; c is -1 until something arrives
  for (int i = 0; i < n; ++i) {
    a[i] = i;
    b[i] = 2 * i;
  }

  // 1. Memory on the device
  const size_t bytes = n * sizeof(float);
  float *d_a, *d_b, *d_c;
  cudaMalloc(&d_a, bytes);
  cudaMalloc(&d_b, bytes);
  cudaMalloc(&d_c, bytes);

  // 2. The inputs go there
  cudaMemcpy(d_a, a.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b.data(), bytes, cudaMemcpyHostToDevice);

  // 3. The kernel works on them
  if (launch) add<<<(n + threads - 1) / threads, threads>>>(d_a, d_b, d_c, n);

  // 4. The result comes back
  const cudaMemcpyKind direction = swapped ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
  if (copy_back) cudaMemcpy(c.data(), d_c, bytes, direction);

  // 5. The memory is given back
  if (give_back) {
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
  }

  std::printf("c[0] = %g, c[%d] = %g\n", c[0], n - 1, c[n - 1]);
}
