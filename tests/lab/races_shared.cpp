// Races in shared memory by the rules of what orders two accesses, each beside its smallest repair.
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

}  // namespace

TEST_CASE("races in shared memory, each beside its repair") { check_all(shared_memory); }
