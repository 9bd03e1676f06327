// What to do about a race: the hint that knows most stands, whether the emulator or the source gave it.
#include "lab/situations.h"

using namespace warpbook;
using namespace warpbook::lab_tests;

namespace {

struct Hinted {
  const char* name;
  const char* hint;  ///< what it must say
  const char* source;
};

const std::vector<Hinted> races = {
    {"a copy that nobody waits for", "wait for it", R"(
// launch: grid=(1,1,1) block=(64,1,1)
// args: in=buf:i32[64]:iota; o=buf:i32[64]:zeros
extern "C" __global__ void k(const int* in, int* o) {
  __shared__ int s[64];
  int t = threadIdx.x;
  unsigned to = (unsigned)__cvta_generic_to_shared(&s[t]);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(to), "l"(in + t) : "memory");
  o[t] = s[63 - t];
})"},
    {"a fence of the block where blocks meet", "use __threadfence() between blocks", R"(
// launch: grid=(4,1,1) block=(32,1,1)
// args: part=buf:i32[4]:zeros; done=buf:u32[1]:zeros; o=buf:i32[1]:zeros
extern "C" __global__ void k(int* part, unsigned* done, int* o) {
  if (threadIdx.x == 0) {
    part[blockIdx.x] = (int)blockIdx.x + 1;
    __threadfence_block();
    if (atomicInc(done, 3) == 3) {
      __threadfence();
      int sum = 0;
      for (int b = 0; b < 4; ++b) sum += part[b];
      o[0] = sum;
    }
  }
})"},
    {"a fence of the block behind the data, before a volatile flag",
     "The fence of line 7 is __threadfence_block()", R"(
// launch: grid=(2,1,1) block=(32,1,1)
// args: data=buf:i32[32]:zeros; flag=buf:i32[1]:zeros; o=buf:i32[32]:zeros
extern "C" __global__ void k(int* data, volatile int* flag, int* o) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    data[0] = 7;
    __threadfence_block();
    *flag = 1;
  } else if (threadIdx.x == 0) {
    while (*flag == 0) { }
    __threadfence();
    o[0] = data[0];
  }
})"},
    {"a fence of the block behind the flag, the reader above the writer",
     "The fence of line 7 is __threadfence_block()", R"(
// launch: grid=(2,1,1) block=(32,1,1)
// args: data=buf:i32[32]:zeros; flag=buf:i32[1]:zeros; o=buf:i32[32]:zeros
extern "C" __global__ void k(int* data, int* flag, int* o) {
  if (blockIdx.x == 1 && threadIdx.x == 0) {
    while (atomicAdd(flag, 0) == 0) { }
    __threadfence_block();
    o[0] = data[0];
  } else if (threadIdx.x == 0) {
    data[0] = 7;
    __threadfence();
    atomicExch(flag, 1);
  }
})"},
    {"a release of the block's scope", "has block scope", R"(
// launch: grid=(2,1,1) block=(32,1,1)
// args: data=buf:i32[32]:zeros; flag=buf:i32[1]:zeros; o=buf:i32[32]:zeros
extern "C" __global__ void k(int* data, int* flag, int* o) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    data[0] = 7;
    asm volatile("st.release.cta.global.s32 [%0], 1;" :: "l"(flag) : "memory");
  } else if (threadIdx.x == 0) {
    int seen;
    do {
      asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
    } while (seen == 0);
    o[0] = data[0];
  }
})"},
    {"a fence of the block, and threads of the other block that a barrier tells",
     "The fence of line 8 is __threadfence_block()", R"(
// launch: grid=(2,1,1) block=(64,1,1)
// args: data=buf:i32[64]:zeros; flag=buf:i32[1]:zeros; o=buf:i32[64]:zeros
extern "C" __global__ void k(int* data, int* flag, int* o) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    __threadfence_block();
    if (threadIdx.x == 0) atomicExch(flag, 1);
  } else {
    if (threadIdx.x == 0) {
      while (atomicAdd(flag, 0) == 0) { }
      __threadfence();
    }
    __syncthreads();
    o[threadIdx.x] = data[threadIdx.x];
  }
})"},
    {"an atomic of the block's scope", "one of device scope", R"(
// launch: grid=(4,1,1) block=(32,1,1)
// args: sum=buf:i32[1]:zeros
extern "C" __global__ void k(int* sum) { atomicAdd_block(sum, (int)threadIdx.x); })"},
    {"an atomic of one block, read plainly by another", "use an atomic on both sides", R"(
// launch: grid=(3,1,1) block=(32,1,1)
// args: sum=buf:i32[1]:zeros; o=buf:i32[3]:zeros
extern "C" __global__ void k(int* sum, int* o) {
  atomicAdd(sum, (int)threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) o[blockIdx.x] = *sum;
})"},
    {"an atomic, read plainly in the same block", "Put __syncthreads() between line 7 and line 8", R"(
// launch: grid=(1,1,1) block=(64,1,1)
// args: sum=buf:i32[1]:zeros; o=buf:i32[64]:zeros
extern "C" __global__ void k(int* sum, int* o) {

  int t = threadIdx.x;
  atomicAdd(sum, t);
  o[t] = *sum;
})"},
    {"volatile instead of a barrier", "volatile orders nothing by itself", R"(
// launch: grid=(1,1,1) block=(64,1,1)
// args: o=buf:i32[64]:zeros
extern "C" __global__ void k(int* o) {
  __shared__ volatile int s[64];
  int t = threadIdx.x;
  s[t] = t;
  o[t] = s[t ^ 1];
})"},
    {"no fence on either side of the atomic", "a __threadfence() on both sides: one before it, behind line 6",
     R"(
// launch: grid=(4,1,1) block=(32,1,1)
// args: part=buf:i32[4]:zeros; done=buf:u32[1]:zeros; o=buf:i32[1]:zeros
extern "C" __global__ void k(int* part, unsigned* done, int* o) {
  if (threadIdx.x == 0) {
    part[blockIdx.x] = (int)blockIdx.x + 1;
    if (atomicInc(done, 3) == 3) {
      int sum = 0;
      for (int b = 0; b < 4; ++b) sum += part[b];
      o[0] = sum;
    }
  }
})"},
    {"no fence behind the atomic", "one is missing behind it, before line 10", R"(
// launch: grid=(4,1,1) block=(32,1,1)
// args: part=buf:i32[4]:zeros; done=buf:u32[1]:zeros; o=buf:i32[1]:zeros
extern "C" __global__ void k(int* part, unsigned* done, int* o) {
  if (threadIdx.x == 0) {
    part[blockIdx.x] = (int)blockIdx.x + 1;
    __threadfence();
    if (atomicInc(done, 3) == 3) {
      int sum = 0;
      for (int b = 0; b < 4; ++b) sum += part[b];
      o[0] = sum;
    }
  }
})"},
    {"the last warp of a reduction", "Put __syncwarp() between line 10 and line 11", R"(
// launch: grid=(1,1,1) block=(64,1,1)
// args: o=buf:i32[1]:zeros
extern "C" __global__ void k(int* o) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  if (t < 16) {
    s[t] = s[t + 16] + s[t + 32];
    int v = s[t ^ 1];
    o[0 * t] = v > 0;
  }
})"},
    {"a block of one warp", "Put __syncwarp() (or __syncthreads()) between line 7 and line 8", R"(
// launch: grid=(1,1,1) block=(32,1,1)
// args: o=buf:i32[32]:zeros
extern "C" __global__ void k(int* o) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = t;
  o[t] = s[31 - t];
})"},
    {"an element is added to its neighbour", "read into a variable, __syncthreads(), then write", R"(
// launch: grid=(1,1,1) block=(64,1,1)
// args: a=buf:i32[65]:iota
extern "C" __global__ void k(int* a) {
  int t = threadIdx.x;
  a[t] += a[t + 1];
})"},
    {"many add to one element", "use atomicAdd", R"(
// launch: grid=(1,1,1) block=(64,1,1)
// args: a=buf:i32[1]:iota
extern "C" __global__ void k(int* a) { a[0] += (int)threadIdx.x; })"},
    {"many write one element", "Let one thread write it", R"(
// launch: grid=(1,1,1) block=(64,1,1)
// args: a=buf:i32[1]:iota
extern "C" __global__ void k(int* a) { a[0] = (int)threadIdx.x; })"},
};

}  // namespace

TEST_CASE("The hint of a race names its cause, or the lines that need a barrier") {
  Bench bench;
  NEEDS_NVRTC(bench.fixture);
  for (const Hinted& one : races) {
    INFO(one.name);
    const RunResult result = bench.run(bench.request(one.source));
    INFO(text_of(result.diagnostics));
    const Diagnosis* race = nullptr;
    for (const Diagnosis& d : result.diagnostics) {
      if (d.severity == Severity::error && d.kind.rfind("race-", 0) == 0 && !race) race = &d;
    }
    REQUIRE(race);
    INFO(race->hint);
    CHECK(race->hint.find(one.hint) != std::string::npos);
  }
}
