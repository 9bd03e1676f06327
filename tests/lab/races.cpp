// Races by the rules of what orders two accesses, each beside its smallest repair, and what those rules
// allow.
#include "lab/situations.h"

using namespace warpbook;
using namespace warpbook::lab_tests;

namespace {

const std::vector<Situation> shared_memory = {
    {"reverse without a barrier", "race-shared", R"(
// launch: grid=(2,1,1) block=(64,1,1)
// args: o=buf:i32[128]:zeros; in=buf:i32[128]:iota
extern "C" __global__ void k(int* o, const int* in) {
  __shared__ int s[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[t] = in[i];  //!
  {{|__syncthreads();}}
  o[i] = s[63 - t];  //&
})",
     "s"},
    {"tile loop without its second barrier", "race-shared", R"(
// launch: grid=(1,1,1) block=(64,1,1)
// args: o=buf:f32[64]:zeros; in=buf:f32[256]:iota
extern "C" __global__ void k(float* o, const float* in) {
  __shared__ float tile[64];
  int t = threadIdx.x;
  float sum = 0;
  for (int round = 0; round < 4; ++round) {
    tile[t] = in[round * 64 + t];  //!
    __syncthreads();
    sum += tile[(t + 32) % 64];  //&
    {{|__syncthreads();}}
  }
  o[t] = sum;
})",
     "tile"},
    {"tree reduction with the barrier outside the loop", "race-shared", R"(
// launch: grid=(1,1,1) block=(128,1,1)
// args: o=buf:i32[1]:zeros; in=buf:i32[128]:iota
extern "C" __global__ void k(int* o, const int* in) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int d = 64; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];  //! //&
    {{|__syncthreads();}}
  }
  __syncthreads();
  if (t == 0) o[0] = s[0];
})",
     "s"},
    {"scan in place", "race-shared", R"(
// launch: grid=(1,1,1) block=(96,1,1)
// args: o=buf:i32[96]:zeros; in=buf:i32[96]:value(1)
extern "C" __global__ void k(int* o, const int* in) {
  __shared__ int s[96];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int d = 1; d < 96; d *= 2) {
    int left = t >= d ? s[t - d] : 0;  //&
    {{|__syncthreads();}}
    s[t] += left;  //!
    __syncthreads();
  }
  o[t] = s[t];
})",
     "s"},
    {"bins cleared but not awaited", "race-shared", R"(
// launch: grid=(1,1,1) block=(64,1,1)
// args: o=buf:i32[8]:zeros; in=buf:i32[64]:mod(8)
extern "C" __global__ void k(int* o, const int* in) {
  __shared__ int bins[8];
  int t = threadIdx.x;
  if (t < 8) bins[t] = 0;  //!
  {{|__syncthreads();}}
  atomicAdd(&bins[in[t]], 1);  //&
  __syncthreads();
  if (t < 8) o[t] = bins[t];
})",
     "bins"},
    {"histogram without atomics", "race-shared", R"(
// launch: grid=(1,1,1) block=(64,1,1)
// args: o=buf:i32[8]:zeros; in=buf:i32[64]:mod(8)
extern "C" __global__ void k(int* o, const int* in) {
  __shared__ int bins[8];
  int t = threadIdx.x;
  if (t < 8) bins[t] = 0;
  __syncthreads();
  {{bins[in[t]] += 1|atomicAdd(&bins[in[t]], 1)}};  //! //&
  __syncthreads();
  if (t < 8) o[t] = bins[t];
})",
     "bins"},
    {"histogram read before all have counted", "race-shared", R"(
// launch: grid=(1,1,1) block=(64,1,1)
// args: o=buf:i32[8]:zeros; in=buf:i32[64]:mod(8)
extern "C" __global__ void k(int* o, const int* in) {
  __shared__ int bins[8];
  int t = threadIdx.x;
  if (t < 8) bins[t] = 0;
  __syncthreads();
  atomicAdd(&bins[in[t]], 1);  //!
  {{|__syncthreads();}}
  if (t < 8) o[t] = bins[t];  //&
})",
     "bins"},
    {"two lanes of a warp without __syncwarp", "race-shared", R"(
// launch: grid=(1,1,1) block=(32,1,1)
// args: o=buf:i32[32]:zeros; in=buf:i32[32]:iota
extern "C" __global__ void k(int* o, const int* in) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = in[t];  //!
  {{|__syncwarp();}}
  o[t] = s[t ^ 1];  //&
})",
     "s"},
    {"the last warp of a reduction goes on without __syncwarp", "race-shared", R"(
// launch: grid=(1,1,1) block=(64,1,1)
// args: o=buf:i32[1]:zeros; in=buf:i32[64]:iota
extern "C" __global__ void k(int* o, const int* in) {
  __shared__ {{volatile|}} int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < 32) {
    for (int d = 32; d > 0; d /= 2) {
      int v = s[t + d];  //&
      {{|__syncwarp();}}
      if (t < d) s[t] = s[t] + v;  //!
      {{|__syncwarp();}}
    }
  }
  if (t == 0) o[0] = s[0];
})",
     "s"},
    {"__syncwarp of half a warp", "race-shared", R"(
// launch: grid=(1,1,1) block=(32,1,1)
// args: o=buf:i32[32]:zeros; in=buf:i32[32]:iota
extern "C" __global__ void k(int* o, const int* in) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = in[t];  //!
  __syncwarp({{t < 16 ? 0x0000ffffu : 0xffff0000u|0xffffffffu}});
  o[t] = s[31 - t];  //&
})",
     "s"},
    {"__syncwarp where two warps share", "race-shared", R"(
// launch: grid=(1,1,1) block=(64,1,1)
// args: o=buf:i32[64]:zeros; in=buf:i32[64]:iota
extern "C" __global__ void k(int* o, const int* in) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];  //!
  {{__syncwarp()|__syncthreads()}};
  o[t] = s[(t + 32) % 64];  //&
})",
     "s"},
    {"double buffer with the same half twice", "race-shared", R"(
// launch: grid=(1,1,1) block=(64,1,1)
// args: o=buf:i32[64]:zeros; in=buf:i32[512]:iota
extern "C" __global__ void k(int* o, const int* in) {
  __shared__ int s[2][64];
  int t = threadIdx.x, sum = 0;
  for (int round = 0; round < 8; ++round) {
    int* half = s[{{0|round & 1}}];
    half[t] = in[round * 64 + t];  //!
    __syncthreads();
    sum += half[63 - t];  //&
  }
  o[t] = sum;
})",
     "s"},
    {"everybody writes one cell", "race-shared", R"(
// launch: grid=(1,1,1) block=(64,1,1)
// args: o=buf:i32[64]:zeros
extern "C" __global__ void k(int* o) {
  __shared__ int last;
  int t = threadIdx.x;
  if ({{t % 7 == 3|t == 3}}) last = t;  //! //&
  __syncthreads();
  o[t] = last;
})",
     "last"},
    {"bytes that overlap a word", "race-shared", R"(
// launch: grid=(1,1,1) block=(64,1,1)
// args: o=buf:u8[64]:zeros
extern "C" __global__ void k(unsigned char* o) {
  __shared__ __align__(4) unsigned char s[64];
  int t = threadIdx.x;
  {{*(unsigned*)(s + (t & ~3)) = (unsigned)t|s[t] = (unsigned char)t}};  //! //&
  __syncthreads();
  o[t] = s[t];
})",
     "s"},
    {"named barrier for half of those that share", "race-shared", R"(
// launch: grid=(1,1,1) block=(128,1,1)
// args: o=buf:i32[128]:zeros
extern "C" __global__ void k(int* o) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = t;  //!
  asm volatile("bar.sync %0, %1;" :: "r"(t / 64 + 1), "r"(64) : "memory");
  o[t] = s[{{127 - t|t ^ 63}}];  //&
})",
     "s"},
    {"asynchronous copy without a wait", "race-shared", R"(
// launch: grid=(1,1,1) block=(32,1,1)
// args: o=buf:i32[32]:zeros; in=buf:i32[32]:iota
extern "C" __global__ void k(int* o, const int* in) {
  __shared__ int s[32];
  int t = threadIdx.x;
  unsigned to = (unsigned)__cvta_generic_to_shared(&s[t]);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(to), "l"(in + t) : "memory");  //!
  asm volatile("cp.async.commit_group;" ::: "memory");
  {{|asm volatile("cp.async.wait_group 0;" ::: "memory");}}
  o[t] = s[t];  //&
})",
     "s"},
    {"asynchronous copy awaited by its own thread only", "race-shared", R"(
// launch: grid=(1,1,1) block=(64,1,1)
// args: o=buf:i32[64]:zeros; in=buf:i32[64]:iota
extern "C" __global__ void k(int* o, const int* in) {
  __shared__ int s[64];
  int t = threadIdx.x;
  unsigned to = (unsigned)__cvta_generic_to_shared(&s[t]);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(to), "l"(in + t) : "memory");  //!
  asm volatile("cp.async.commit_group;" ::: "memory");
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  {{|__syncthreads();}}
  o[t] = s[63 - t];  //&
})",
     "s"},
    {"barrier before the wait instead of behind it", "race-shared", R"(
// launch: grid=(1,1,1) block=(64,1,1)
// args: o=buf:i32[64]:zeros; in=buf:i32[64]:iota
extern "C" __global__ void k(int* o, const int* in) {
  __shared__ int s[64];
  int t = threadIdx.x;
  unsigned to = (unsigned)__cvta_generic_to_shared(&s[t]);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(to), "l"(in + t) : "memory");  //!
  asm volatile("cp.async.commit_group;" ::: "memory");
  {{__syncthreads();|}}
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  {{|__syncthreads();}}
  o[t] = s[63 - t];  //&
})",
     "s"},
};

const std::vector<Situation> global_memory = {
    {"plain sum of all threads", "race-global", R"(
// launch: grid=(2,1,1) block=(32,1,1)
// args: total=buf:i32[1]:zeros; a=buf:i32[64]:iota
extern "C" __global__ void k(int* total, const int* a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  {{total[0] += a[i]|atomicAdd(total, a[i])}};  //! //&
})",
     "total"},
    {"stencil in place across threads", "race-global", R"(
// launch: grid=(1,1,1) block=(64,1,1)
// args: a=buf:f32[64]:iota; b=buf:f32[64]:zeros
extern "C" __global__ void k(float* a, float* b) {
  int i = threadIdx.x;
  if (i > 0 && i < 63) {{a|b}}[i] = a[i - 1] + a[i + 1];  //! //&
})",
     "a"},
    {"stencil in place across blocks", "race-global", R"(
// launch: grid=(4,1,1) block=(1,1,1)
// args: a=buf:i32[6]:iota; b=buf:i32[6]:zeros
extern "C" __global__ void k(int* a, int* b) {
  int i = blockIdx.x + 1;
  {{a|b}}[i] = a[i - 1] + a[i + 1];  //! //&
})",
     "a"},
    {"a block's steps in global memory without a barrier", "race-global", R"(
// launch: grid=(1,1,1) block=(64,1,1)
// args: a=buf:i32[64]:iota; o=buf:i32[64]:zeros
extern "C" __global__ void k(int* a, int* o) {
  int t = threadIdx.x;
  a[t] = a[t] * 2;  //!
  {{|__syncthreads();}}
  o[t] = a[63 - t];  //&
})",
     "a"},
    {"atomic sum, read plainly by every block", "race-global", R"(
// launch: grid=(3,1,1) block=(32,1,1)
// args: sum=buf:i32[1]:zeros; o=buf:i32[3]:zeros
extern "C" __global__ void k(int* sum, int* o) {
  atomicAdd(sum, (int)threadIdx.x);  //!
  __syncthreads();
  if (threadIdx.x == 0) o[blockIdx.x] = {{*sum|atomicAdd(sum, 0)}};  //&
})",
     "sum"},
    {"last block without a fence", "race-global", R"(
// launch: grid=(4,1,1) block=(32,1,1)
// args: part=buf:i32[4]:zeros; done=buf:u32[1]:zeros; o=buf:i32[1]:zeros
extern "C" __global__ void k(int* part, unsigned* done, int* o) {
  if (threadIdx.x == 0) {
    part[blockIdx.x] = (int)blockIdx.x + 1;  //!
    {{|__threadfence();}}
    if (atomicInc(done, 3) == 3) {
      {{|__threadfence();}}
      int sum = 0;
      for (int b = 0; b < 4; ++b) sum += part[b];  //&
      o[0] = sum;
    }
  }
})",
     "part"},
    {"a fence of the block where blocks meet", "race-global", R"(
// launch: grid=(4,1,1) block=(32,1,1)
// args: part=buf:i32[4]:zeros; done=buf:u32[1]:zeros; o=buf:i32[1]:zeros
extern "C" __global__ void k(int* part, unsigned* done, int* o) {
  if (threadIdx.x == 0) {
    part[blockIdx.x] = (int)blockIdx.x + 1;  //!
    {{__threadfence_block()|__threadfence()}};
    if (atomicInc(done, 3) == 3) {
      __threadfence();
      int sum = 0;
      for (int b = 0; b < 4; ++b) sum += part[b];  //&
      o[0] = sum;
    }
  }
})",
     "part"},
    {"flag without a fence", "race-global", R"(
// launch: grid=(2,1,1) block=(1,1,1)
// args: data=buf:i32[1]:zeros; flag=buf:i32[1]:zeros; o=buf:i32[1]:zeros
extern "C" __global__ void k(int* data, volatile int* flag, int* o) {
  if (blockIdx.x == 0) {
    data[0] = 7;  //!
    {{|__threadfence();}}
    *flag = 1;
  } else {
    while (*flag == 0) { }
    __threadfence();
    o[0] = data[0];  //&
  }
})",
     "data"},
    {"lock without fences", "race-global", R"(
// launch: grid=(4,1,1) block=(1,1,1)
// args: lock=buf:i32[1]:zeros; sum=buf:i32[1]:zeros
extern "C" __global__ void k(int* lock, int* sum) {
  while (atomicCAS(lock, 0, 1) != 0) { }
  {{|__threadfence();}}
  sum[0] += 1;  //! //&
  {{|__threadfence();}}
  atomicExch(lock, 0);
})",
     "sum"},
    {"grid barrier that only one thread waits at", "race-global", R"(
// launch: grid=(2,1,1) block=(64,1,1)
// args: x=buf:i32[128]:zeros; count=buf:u32[1]:zeros; o=buf:i32[128]:zeros
extern "C" __global__ void k(int* x, unsigned* count, int* o) {
  int i = blockIdx.x * 64 + threadIdx.x;
  x[i] = i;  //!
  {{|__syncthreads();}}
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(count, 1u);
    while (atomicAdd(count, 0u) < 2) { }
    __threadfence();
  }
  __syncthreads();
  o[i] = x[127 - i];  //&
})",
     "x"},
    {"blocks overlap by one element", "race-global", R"(
// launch: grid=(2,1,1) block=(33,1,1)
// args: o=buf:i32[65]:zeros
extern "C" __global__ void k(int* o) {
  int i = blockIdx.x * {{32|33}} + threadIdx.x;
  if (i < 65) o[i] = (int)blockIdx.x * 100 + (int)threadIdx.x;  //! //&
})",
     "o"},
    {"an atomic of the block's scope across blocks", "race-global", R"(
// launch: grid=(2,1,1) block=(32,1,1)
// args: sum=buf:i32[1]:zeros
extern "C" __global__ void k(int* sum) {
  {{atomicAdd_block|atomicAdd}}(sum, 1);  //! //&
})",
     "sum"},
    {"wide stores that overlap", "race-global", R"(
// launch: grid=(1,1,1) block=(8,1,1)
// args: o=buf:f32[36]:zeros
extern "C" __global__ void k(float* o) {
  int t = threadIdx.x;
  *(float4*)(o + t / {{2|1}} * 4) = make_float4(t, t, t, t);  //! //&
})",
     "o"},
};

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

TEST_CASE("races in shared memory, each beside its repair") { check_all(shared_memory); }
TEST_CASE("races in global memory, each beside its repair") { check_all(global_memory); }

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
