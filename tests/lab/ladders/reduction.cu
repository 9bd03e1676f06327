// Sums of n doubles, after Harris' ladder; blocks of 256 threads, which the compiler does not know: the
// measured kernels took their bounds from blockDim too, so their remainders are real ones.

extern "C" __global__ void interleaved(const double* in, double* out, int n) {
  __shared__ double s[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int step = 1; step < blockDim.x; step *= 2) {
    if (t % (2 * step) == 0) s[t] += s[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

extern "C" __global__ void strided(const double* in, double* out, int n) {
  __shared__ double s[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int step = 1; step < blockDim.x; step *= 2) {
    const int at = 2 * step * t;
    if (at < blockDim.x) s[at] += s[at + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

extern "C" __global__ void sequential(const double* in, double* out, int n) {
  __shared__ double s[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int step = blockDim.x / 2; step > 0; step /= 2) {
    if (t < step) s[t] += s[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

extern "C" __global__ void many_loads(const double* in, double* out, int n) {
  __shared__ double s[256];
  const int t = threadIdx.x;
  double sum = 0;
  for (int k = 0; k < 8; ++k) {
    const int i = (blockIdx.x * 8 + k) * 256 + t;
    if (i < n) sum += in[i];
  }
  s[t] = sum;
  __syncthreads();
  for (int step = blockDim.x / 2; step > 0; step /= 2) {
    if (t < step) s[t] += s[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
