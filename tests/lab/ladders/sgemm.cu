// Matrix products of one shape by six ways, each faster than the one before. n is the pitch and the depth; the
// grid may cover a corner of the product only.

extern "C" __global__ void naive(const float* a, const float* b, float* c, int n) {
  const int row = blockIdx.x * 32 + threadIdx.x, column = blockIdx.y * 32 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

extern "C" __global__ void coalesced(const float* a, const float* b, float* c, int n) {
  const int row = blockIdx.x * 32 + threadIdx.x / 32, column = blockIdx.y * 32 + threadIdx.x % 32;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

extern "C" __global__ void shared_tile(const float* a, const float* b, float* c, int n) {
  __shared__ float as[32 * 32], bs[32 * 32];
  const int y = threadIdx.x / 32, x = threadIdx.x % 32;
  const int row = blockIdx.x * 32 + y, column = blockIdx.y * 32 + x;
  float sum = 0;
  for (int k = 0; k < n; k += 32) {
    as[y * 32 + x] = a[row * n + k + x];
    bs[y * 32 + x] = b[(k + y) * n + column];
    __syncthreads();
    for (int i = 0; i < 32; ++i) sum += as[y * 32 + i] * bs[i * 32 + x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

// 64 x 64 of c a block, 8 of a column a thread.
extern "C" __global__ void column_tile(const float* a, const float* b, float* c, int n) {
  __shared__ float as[64 * 8], bs[8 * 64];
  const int x = threadIdx.x % 64, y = threadIdx.x / 64;
  const int a_x = threadIdx.x % 8, a_y = threadIdx.x / 8;
  a += blockIdx.y * 64 * n;
  b += blockIdx.x * 64;
  c += blockIdx.y * 64 * n + blockIdx.x * 64;
  float sums[8] = {};
  for (int k = 0; k < n; k += 8) {
    as[a_y * 8 + a_x] = a[a_y * n + k + a_x];
    bs[y * 64 + x] = b[(k + y) * n + x];
    __syncthreads();
    for (int i = 0; i < 8; ++i) {
      const float one = bs[i * 64 + x];
      for (int r = 0; r < 8; ++r) sums[r] += as[(y * 8 + r) * 8 + i] * one;
    }
    __syncthreads();
  }
  for (int r = 0; r < 8; ++r) c[(y * 8 + r) * n + x] = sums[r];
}

// 128 x 128 of c a block, 8 x 8 a thread.
extern "C" __global__ void __launch_bounds__(256) square_tile(const float* a, const float* b, float* c, int n) {
  __shared__ float as[128 * 8], bs[8 * 128];
  const int x = threadIdx.x % 16, y = threadIdx.x / 16;
  const int a_x = threadIdx.x % 8, a_y = threadIdx.x / 8, b_x = threadIdx.x % 128, b_y = threadIdx.x / 128;
  a += blockIdx.y * 128 * n;
  b += blockIdx.x * 128;
  c += blockIdx.y * 128 * n + blockIdx.x * 128;
  float sums[8][8] = {};
  float left[8], top[8];
  for (int k = 0; k < n; k += 8) {
    for (int r = 0; r < 128; r += 32) as[(a_y + r) * 8 + a_x] = a[(a_y + r) * n + k + a_x];
    for (int r = 0; r < 8; r += 2) bs[(b_y + r) * 128 + b_x] = b[(k + b_y + r) * n + b_x];
    __syncthreads();
    for (int i = 0; i < 8; ++i) {
      for (int r = 0; r < 8; ++r) left[r] = as[(y * 8 + r) * 8 + i];
      for (int q = 0; q < 8; ++q) top[q] = bs[i * 128 + x * 8 + q];
      for (int r = 0; r < 8; ++r)
        for (int q = 0; q < 8; ++q) sums[r][q] += left[r] * top[q];
    }
    __syncthreads();
  }
  for (int r = 0; r < 8; ++r)
    for (int q = 0; q < 8; ++q) c[(y * 8 + r) * n + x * 8 + q] = sums[r][q];
}

// The same, with loads of four floats and the tile of a turned.
extern "C" __global__ void __launch_bounds__(256) vectorised(const float* a, const float* b, float* c, int n) {
  __shared__ __align__(16) float as[8 * 128];
  __shared__ __align__(16) float bs[8 * 128];
  const int x = threadIdx.x % 16, y = threadIdx.x / 16;
  const int a_x = threadIdx.x % 2, a_y = threadIdx.x / 2, b_x = threadIdx.x % 32, b_y = threadIdx.x / 32;
  a += blockIdx.y * 128 * n;
  b += blockIdx.x * 128;
  c += blockIdx.y * 128 * n + blockIdx.x * 128;
  float sums[8][8] = {};
  float left[8], top[8];
  for (int k = 0; k < n; k += 8) {
    const float4 four = *(const float4*)&a[a_y * n + k + a_x * 4];
    as[(a_x * 4 + 0) * 128 + a_y] = four.x;
    as[(a_x * 4 + 1) * 128 + a_y] = four.y;
    as[(a_x * 4 + 2) * 128 + a_y] = four.z;
    as[(a_x * 4 + 3) * 128 + a_y] = four.w;
    *(float4*)&bs[b_y * 128 + b_x * 4] = *(const float4*)&b[(k + b_y) * n + b_x * 4];
    __syncthreads();
    for (int i = 0; i < 8; ++i) {
      for (int r = 0; r < 8; ++r) left[r] = as[i * 128 + y * 8 + r];
      for (int q = 0; q < 8; ++q) top[q] = bs[i * 128 + x * 8 + q];
      for (int r = 0; r < 8; ++r)
        for (int q = 0; q < 8; ++q) sums[r][q] += left[r] * top[q];
    }
    __syncthreads();
  }
  for (int r = 0; r < 8; ++r)
    for (int q = 0; q < 8; q += 4)
      *(float4*)&c[(y * 8 + r) * n + x * 8 + q] =
          make_float4(sums[r][q], sums[r][q + 1], sums[r][q + 2], sums[r][q + 3]);
}
