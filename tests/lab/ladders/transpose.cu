// Four ways to turn a matrix of pitch n; blocks of 32 x 8 threads turn tiles of 32 x 32.

extern "C" __global__ void copy(const float* in, float* out, int n) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int r = 0; r < 32; r += 8) out[(y + r) * n + x] = in[(y + r) * n + x];
}

extern "C" __global__ void rows_in(const float* in, float* out, int n) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int r = 0; r < 32; r += 8) out[x * n + y + r] = in[(y + r) * n + x];
}

extern "C" __global__ void rows_out(const float* in, float* out, int n) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int r = 0; r < 32; r += 8) out[(y + r) * n + x] = in[x * n + y + r];
}

template <int Pitch>
__device__ void through_tile(const float* in, float* out, int n) {
  __shared__ float tile[32 * Pitch];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int r = 0; r < 32; r += 8) tile[(threadIdx.y + r) * Pitch + threadIdx.x] = in[(y + r) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int r = 0; r < 32; r += 8) out[(y + r) * n + x] = tile[threadIdx.x * Pitch + threadIdx.y + r];
}
extern "C" __global__ void tile(const float* in, float* out, int n) { through_tile<32>(in, out, n); }
extern "C" __global__ void padded_tile(const float* in, float* out, int n) { through_tile<33>(in, out, n); }
