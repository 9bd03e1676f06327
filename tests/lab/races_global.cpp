// Races in global memory by the rules of what orders two accesses, each beside its smallest repair.
#include "lab/situations.h"

using namespace warpbook;
using namespace warpbook::lab_tests;

namespace {

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
    {"a fence of the block before a volatile flag", "race-global", R"(
// launch: grid=(2,1,1) block=(1,1,1)
// args: data=buf:i32[1]:zeros; flag=buf:i32[1]:zeros; o=buf:i32[1]:zeros
extern "C" __global__ void k(int* data, volatile int* flag, int* o) {
  if (blockIdx.x == 0) {
    data[0] = 7;  //!
    {{__threadfence_block()|__threadfence()}};
    *flag = 1;
  } else {
    while (*flag == 0) { }
    __threadfence();
    o[0] = data[0];  //&
  }
})",
     "data"},
    {"a fence of the block behind an atomic flag", "race-global", R"(
// launch: grid=(2,1,1) block=(1,1,1)
// args: data=buf:i32[1]:zeros; flag=buf:i32[1]:zeros; o=buf:i32[1]:zeros
extern "C" __global__ void k(int* data, int* flag, int* o) {
  if (blockIdx.x == 0) {
    data[0] = 7;  //!
    __threadfence();
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) { }
    {{__threadfence_block()|__threadfence()}};
    o[0] = data[0];  //&
  }
})",
     "data"},
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
    {"a compare-and-swap of another element", "race-global", R"(
// launch: grid=(2,1,1) block=(32,1,1)
// args: p=buf:i32[2]:zeros; o=buf:i32[64]:zeros
extern "C" __global__ void k(int* p, int* o) {
  int seen = p[0];  //! //&
  o[blockIdx.x * 32 + threadIdx.x] = seen;
  atomicCAS(p + {{1|0}}, seen, seen + 1);
  {{atomicAdd(p, 1);|}}  //! //&
})",
     "p"},
    {"a lock without a fence around volatile accesses", "race-global", R"(
// launch: grid=(4,1,1) block=(1,1,1)
// args: lock=buf:i32[1]:zeros; sum=buf:i32[1]:zeros
extern "C" __global__ void k(int* lock, volatile int* sum) {
  while (atomicCAS(lock, 0, 1) != 0) { }
  *sum = *sum + 1;  //! //&
  {{|__threadfence();}}
  atomicExch(lock, 0);
})",
     "sum"},
    {"a barrier behind the atomic, and no fence before it", "race-global", R"(
// launch: grid=(4,1,1) block=(64,1,1)
// args: part=buf:i32[4]:zeros; done=buf:u32[1]:zeros; o=buf:i32[1]:zeros
extern "C" __global__ void k(int* part, unsigned* done, int* o) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    part[blockIdx.x] = (int)blockIdx.x + 1;  //!
    {{|__threadfence();}}
    last = atomicInc(done, 3) == 3;
  }
  __syncthreads();
  if (last && threadIdx.x < 4) atomicAdd(o, part[threadIdx.x]);  //&
})",
     "part"},
    {"wide stores that overlap", "race-global", R"(
// launch: grid=(1,1,1) block=(8,1,1)
// args: o=buf:f32[36]:zeros
extern "C" __global__ void k(float* o) {
  int t = threadIdx.x;
  *(float4*)(o + t / {{2|1}} * 4) = make_float4(t, t, t, t);  //! //&
})",
     "o"},
};

}  // namespace

TEST_CASE("races in global memory, each beside its repair") { check_all(global_memory); }
