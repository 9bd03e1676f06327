// What the rules of order allow, and equal stores, which are noted only: kernels that look suspicious.
#include "lab/situations.h"

using namespace warpbook;
using namespace warpbook::lab_tests;

namespace {

/// What the rules call ordered, and kernels that look suspicious.
const std::vector<const char*> legal = {
    // A tree reduction whose last warp syncs.
    R"(
// launch: grid=(2,1,1) block=(64,1,1)
// args: o=buf:i32[2]:zeros; in=buf:i32[128]:iota
extern "C" __global__ void k(int* o, const int* in) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  if (t < 32) s[t] += s[t + 32];
  __syncwarp();
  for (int d = 16; d > 0; d /= 2) {
    int v = t < 32 ? s[t + d] : 0;
    __syncwarp();
    if (t < d) s[t] += v;
    __syncwarp();
  }
  if (t == 0) o[blockIdx.x] = s[0];
})",
    // Producer and consumer warps with bar.arrive and bar.sync.
    R"(
// launch: grid=(1,1,1) block=(64,1,1)
// args: o=buf:i32[32]:zeros
extern "C" __global__ void k(int* o) {
  __shared__ int s[32];
  int t = threadIdx.x;
  if (t < 32) {
    s[t] = t * t;
    asm volatile("bar.arrive 1, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    o[t - 32] = s[63 - t];
  }
})",
    // Bytes of one word, by different threads.
    R"(
// launch: grid=(2,1,1) block=(64,1,1)
// args: o=buf:u8[128]:zeros
extern "C" __global__ void k(unsigned char* o) {
  __shared__ unsigned char s[64];
  int t = threadIdx.x;
  s[t] = (unsigned char)t;
  __syncthreads();
  o[blockIdx.x * 64 + t] = s[63 - t];
})",
    // Words of an int buffer, written as bytes by different threads.
    R"(
// launch: grid=(1,1,1) block=(64,1,1)
// args: o=buf:i32[16]:zeros
extern "C" __global__ void k(int* o) { ((unsigned char*)o)[threadIdx.x] = (unsigned char)threadIdx.x; })",
    // A lock with fences, taken by one lane of each warp.
    R"(
// launch: grid=(4,1,1) block=(64,1,1)
// args: lock=buf:i32[1]:zeros; sum=buf:i32[2]:zeros
extern "C" __global__ void k(int* lock, int* sum) {
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(lock, 0, 1) != 0) { }
    __threadfence();
    sum[0] += 1;
    sum[1] += (int)threadIdx.x;
    __threadfence();
    atomicExch(lock, 0);
  }
})",
    // Release and acquire without a separate fence.
    R"(
// launch: grid=(2,1,1) block=(32,1,1)
// args: data=buf:i32[32]:zeros; flag=buf:i32[1]:zeros; o=buf:i32[32]:zeros
extern "C" __global__ void k(int* data, int* flag, int* o) {
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t;
    __syncthreads();
    if (t == 0) asm volatile("st.release.gpu.global.s32 [%0], 1;" :: "l"(flag) : "memory");
  } else {
    int seen = 0;
    if (t == 0) {
      while (seen == 0) asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
    }
    __syncthreads();
    o[t] = data[31 - t];
  }
})",
    // A chain of read-modify-writes hands on what the first of it released.
    R"(
// launch: grid=(3,1,1) block=(1,1,1)
// args: data=buf:i32[2]:zeros; turn=buf:i32[1]:zeros; o=buf:i32[1]:zeros
extern "C" __global__ void k(int* data, int* turn, int* o) {
  if (blockIdx.x < 2) {
    data[blockIdx.x] = 5;
    __threadfence();
    atomicAdd(turn, 1);
  } else {
    while (atomicAdd(turn, 0) < 2) { }
    __threadfence();
    o[0] = data[0] + data[1];
  }
})",
    // A flag in shared memory between warps.
    R"(
// launch: grid=(1,1,1) block=(64,1,1)
// args: o=buf:i32[1]:zeros
extern "C" __global__ void k(int* o) {
  __shared__ int data;
  __shared__ volatile int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 32) {
    data = 9;
    __threadfence_block();
    flag = 1;
  }
  if (threadIdx.x == 0) {
    while (flag == 0) { }
    __threadfence_block();
    o[0] = data;
  }
})",
    // Different blocks read what all read; each writes its own.
    R"(
// launch: grid=(8,1,1) block=(64,1,1)
// args: o=buf:f32[512]:zeros; table=buf:f32[64]:iota
extern "C" __global__ void k(float* o, const float* table) {
  int i = blockIdx.x * 64 + threadIdx.x;
  float sum = 0;
  for (int j = 0; j < 64; ++j) sum += table[j];
  o[i] = sum;
  o[i] += 1;
})",
    // A loop around a compare-and-swap that begins with a plain read.
    R"(
// launch: grid=(2,1,1) block=(64,1,1)
// args: most=buf:f32[1]:zeros; a=buf:f32[128]:iota; product=buf:f64[3]:value(1)
__device__ void raise(float* at, float value) {
  int* bits = (int*)at;
  int old = *bits, seen;
  do {
    seen = old;
    old = atomicCAS(bits, seen, __float_as_int(fmaxf(value, __int_as_float(seen))));
  } while (old != seen);
}
extern "C" __global__ void k(float* most, const float* a, double* product) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  raise(most, a[i]);
  unsigned long long* bits = (unsigned long long*)&product[i % 3];
  unsigned long long old = *bits, seen;
  do {
    seen = old;
    old = atomicCAS(bits, seen, (unsigned long long)__double_as_longlong(__longlong_as_double((long long)seen) * 2));
  } while (old != seen);
})",
    // The last block sums up: a barrier stands behind the atomic where a fence might.
    R"(
// launch: grid=(8,1,1) block=(64,1,1)
// args: part=buf:i32[8]:uninit; done=buf:u32[1]:zeros; o=buf:i32[1]:uninit; a=buf:i32[512]:iota
extern "C" __global__ void k(int* part, unsigned* done, int* o, const int* a) {
  __shared__ int sum;
  __shared__ bool last;
  int t = threadIdx.x;
  if (t == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, a[blockIdx.x * 64 + t]);
  __syncthreads();
  if (t == 0) {
    part[blockIdx.x] = sum;
    __threadfence();
    last = atomicInc(done, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  if (t == 0) {
    int total = 0;
    for (int b = 0; b < 8; ++b) total += part[b];
    *o = total;
    *done = 0;
  }
})",
    // A lock around volatile accesses, which stay in order behind the atomic that took it.
    R"(
// launch: grid=(2,1,1) block=(40,1,1)
// args: lock=buf:i32[1]:zeros; count=buf:i32[1]:zeros
extern "C" __global__ void k(int* lock, volatile int* count) {
  for (bool done = false; !done;) {
    if (atomicCAS(lock, 0, 1) != 0) continue;
    *count = *count + 1;
    __threadfence();
    atomicExch(lock, 0);
    done = true;
  }
})",
    // Two stages of asynchronous copies, one round ahead.
    R"(
// launch: grid=(1,1,1) block=(64,1,1)
// args: o=buf:i32[64]:zeros; in=buf:i32[256]:iota
extern "C" __global__ void k(int* o, const int* in) {
  __shared__ int s[2][64];
  int t = threadIdx.x, sum = 0;
  for (int round = 0; round <= 4; ++round) {
    if (round < 4) {
      unsigned to = (unsigned)__cvta_generic_to_shared(&s[round & 1][t]);
      asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(to), "l"(in + round * 64 + t) : "memory");
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
    if (round == 0) continue;
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    sum += s[(round - 1) & 1][63 - t];
    __syncthreads();
  }
  o[t] = sum;
})",
};

}  // namespace

TEST_CASE("what the rules order is no race") {
  Bench bench;
  NEEDS_NVRTC(bench.fixture);
  for (const char* source : legal) {
    INFO(source);
    for (const Order order : {Order::forward, Order::reverse, Order::shuffled}) {
      RunRequest request = bench.request(source);
      request.order = order;
      request.seed = 11;
      check_right(bench.run(request));
    }
  }
}

TEST_CASE("many threads that store one and the same value get a note") {
  Bench bench;
  NEEDS_NVRTC(bench.fixture);
  const RunResult result = bench.run(bench.request(R"(
// launch: grid=(2,1,1) block=(64,1,1)
// args: flag=buf:i32[1]:zeros; a=buf:i32[128]:mod(9)
extern "C" __global__ void k(int* flag, const int* a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (a[i] > 6) *flag = 1;
})"));
  INFO(text_of(result.diagnostics));
  CHECK(result.status == "ok");
  REQUIRE(result.diagnostics.size() == 1);
  CHECK(result.diagnostics[0].kind == "same-value-write");
  CHECK(result.diagnostics[0].severity == Severity::note);
  CHECK(result.diagnostics[0].buffer == "flag");
}
