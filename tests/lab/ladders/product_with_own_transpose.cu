// C = A A^T with A of m rows and 32 columns, after the Best Practices Guide; blocks of 32 x 32 threads.

extern "C" __global__ void unshared(const float* a, float* c, int m) {
  const int row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 32; ++k) sum += a[row * 32 + k] * a[column * 32 + k];
  c[row * m + column] = sum;
}

template <int Pitch>
__device__ void through_tiles(const float* a, float* c, int m) {
  __shared__ float rows[32 * 32], turned[32 * Pitch];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * 32 + y, column = blockIdx.x * 32 + x;
  rows[y * 32 + x] = a[row * 32 + x];
  turned[x * Pitch + y] = a[(blockIdx.x * 32 + y) * 32 + x];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 32; ++k) sum += rows[y * 32 + k] * turned[k * Pitch + x];
  c[row * m + column] = sum;
}
extern "C" __global__ void tiles(const float* a, float* c, int m) { through_tiles<32>(a, c, m); }
extern "C" __global__ void padded_tiles(const float* a, float* c, int m) { through_tiles<33>(a, c, m); }
