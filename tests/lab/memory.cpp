// Memory faults of every width, the heap of malloc in kernels, barriers and warps: each beside its repair.
#include <fmt/format.h>

#include "lab/situations.h"

using namespace warpbook;
using namespace warpbook::lab_tests;

namespace {

const std::vector<Situation> heap = {
    {"used after free", "use-after-free", R"(
// launch: grid=(1,1,1) block=(4,1,1)
// args: o=buf:i32[4]:zeros
extern "C" __global__ void k(int* o) {
  volatile int* p = (volatile int*)malloc(16);
  p[1] = threadIdx.x;
  {{free((void*)p);|}}
  o[threadIdx.x] = p[1];  //!
  {{|free((void*)p);}}
})",
     "heap"},
    {"written after free", "use-after-free", R"(
// launch: grid=(1,1,1) block=(1,1,1)
// args: o=buf:f64[1]:zeros
extern "C" __global__ void k(double* o) {
  double* p = (double*)malloc(64);
  o[0] = (double)(p != nullptr);
  {{free(p);|}}
  *(volatile double*)(p + 2) = 1.0;  //!
  {{|free(p);}}
})",
     "heap"},
    {"freed twice", "double-free", R"(
// launch: grid=(1,1,1) block=(2,1,1)
// args: o=buf:i32[2]:zeros
extern "C" __global__ void k(int* o) {
  volatile int* p = (volatile int*)malloc(8);
  p[0] = 3;
  o[threadIdx.x] = p[0];
  free((void*)p);
  {{free((void*)p);|}}  //!
})",
     "heap"},
    {"every thread frees what one allocated", "double-free", R"(
// launch: grid=(1,1,1) block=(32,1,1)
// args: o=buf:i32[32]:zeros
extern "C" __global__ void k(int* o) {
  __shared__ int* p;
  if (threadIdx.x == 0) p = (int*)malloc(128);
  __syncthreads();
  p[threadIdx.x] = threadIdx.x;
  __syncthreads();
  o[threadIdx.x] = p[31 - threadIdx.x];
  __syncthreads();
  if ({{threadIdx.x < 32|threadIdx.x == 0}}) free(p);  //!
})",
     "heap"},
    {"a buffer given to free", "double-free", R"(
// launch: grid=(1,1,1) block=(1,1,1)
// args: o=buf:i32[4]:zeros
extern "C" __global__ void k(int* o) {
  int* p = (int*)malloc(16);
  o[0] = p != nullptr;
  free({{o|p}});  //!
})",
     "heap"},
    {"past the end of malloc's memory", "oob-write", R"(
// launch: grid=(1,1,1) block=(4,1,1)
// args: o=buf:i32[4]:zeros
extern "C" __global__ void k(int* o) {
  volatile int* p = (volatile int*)malloc(40);
  for (int i = 0; i {{<=|<}} 10; ++i) p[i] = i;  //!
  o[threadIdx.x] = p[3];
  free((void*)p);
})",
     "heap"},
    {"never written memory of malloc", "uninit-read", R"(
// launch: grid=(1,1,1) block=(1,1,1)
// args: o=buf:i32[1]:zeros
extern "C" __global__ void k(int* o) {
  volatile int* p = (volatile int*)malloc(16);
  {{|p[2] = 1;}}
  o[0] = p[2];  //!
  free((void*)p);
})",
     "heap"},
    {"malloc that may fail is not looked at", "null-pointer", R"(
// launch: grid=(1,1,1) block=(1,1,1)
// args: o=buf:i32[1]:zeros
extern "C" __global__ void k(int* o) {
  volatile int* p = (volatile int*)malloc(64 << 20);
  {{|if (p == nullptr) return;}}
  p[0] = 1;  //!
  o[0] = p[0];
})"},
};

const std::vector<Situation> barriers = {
    {"barrier in a branch", "divergent-barrier", R"(
// launch: grid=(1,1,1) block=(64,1,1)
// args: o=buf:i32[64]:zeros
extern "C" __global__ void k(int* o) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  if (t < 32) {
    o[t] = 1;
    {{__syncthreads();|}}  //!
  }
  __syncthreads();  //&
  o[t] += s[63 - t];
})"},
    {"threads leave before the barrier", "divergent-barrier", R"(
// launch: grid=(1,1,1) block=(64,1,1)
// args: o=buf:i32[64]:zeros; n=i32:50
extern "C" __global__ void k(int* o, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  {{if (t >= n) return;|}}
  s[t] = t;
  __syncthreads();  //!
  if (t < n) o[t] = s[n - 1 - t];
})"},
    {"half a warp waits in __syncwarp for the other half", "deadlock", R"(
// launch: grid=(1,1,1) block=(32,1,1)
// args: o=buf:i32[32]:zeros
extern "C" __global__ void k(int* o) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = t;
  if (t < 16) {
    __syncwarp({{0xffffffffu|0x0000ffffu}});  //!
    o[t] = s[15 - t];
  }
  __syncthreads();  //&
  if (t >= 16) o[t] = s[31 - t];
})"},
    {"two blocks too many wait for each other", "deadlock", R"(
// launch: grid=({{3457|4}},1,1) block=(32,1,1)
// args: count=buf:u32[1]:zeros
extern "C" __global__ void k(unsigned* count) {
  if (threadIdx.x == 0) {
    atomicAdd(count, 1u);
    while (atomicAdd(count, 0u) < gridDim.x) { }  //!
  }
})"},
    {"recursion without an end", "stack-overflow", R"(
// launch: grid=(1,1,1) block=(1,1,1)
// args: o=buf:i32[1]:zeros
__device__ __noinline__ int deep(int n, volatile int* o) {
  if (n {{< 0|== 5}}) return 1;
  int below = deep(n + 1, o);  //!
  return below + *o;
}
extern "C" __global__ void k(int* o) { o[0] = deep(0, o); }
)"},
    {"a shuffle reads lanes that have gone another way", "shuffle-inactive-lane", R"(
// launch: grid=(1,1,1) block=(32,1,1)
// args: o=buf:i32[32]:zeros
extern "C" __global__ void k(int* o) {
  int t = threadIdx.x, v = t;
  if (t < 16) v = __shfl_down_sync(0x0000ffffu, t, {{16|1, 16}});  //!
  o[t] = v;
})"},
    {"a vote whose mask leaves the caller out", "warp-mask", R"(
// launch: grid=(1,1,1) block=(32,1,1)
// args: o=buf:i32[32]:zeros
extern "C" __global__ void k(int* o) {
  int t = threadIdx.x;
  o[t] = __ballot_sync({{0x0000ffffu|0xffffffffu}}, t % 3 == 0);  //!
})"},
};

/// One access of each width, past the end, before the start, at an odd address, to memory nobody wrote.
struct Width {
  const char* type;
  uint32_t bytes;
  const char* zero;
};
const Width widths[] = {{"unsigned char", 1, "0"},
                        {"unsigned short", 2, "0"},
                        {"unsigned", 4, "0"},
                        {"unsigned long long", 8, "0"},
                        {"float4", 16, "make_float4(0, 0, 0, 0)"},
                        {"float2", 8, "make_float2(0, 0)"}};

/// The one error; that bytes are taken for wider elements is warned of besides, and rightly.
Diagnosis only(const RunResult& result) {
  INFO(text_of(result.diagnostics));
  std::vector<Diagnosis> found = result.diagnostics;
  std::erase_if(found, [](const Diagnosis& d) { return d.kind == "arg-type-mismatch"; });
  REQUIRE(found.size() == 1);
  return found[0];
}

RunResult run_with(Bench& bench, const Width& width, const std::string& body, const std::string& init) {
  return bench.run(
      bench.request(fmt::format("// launch: grid=(1,1,1) block=(1,1,1)\n"
                                "// args: a=buf:u8[{0}]:{1}; o=buf:u8[{0}]:zeros; i=i32:4\n"
                                "extern \"C\" __global__ void k({2}* a, {2}* o, int i) {{\n"
                                "  {3}\n}}\n",
                                width.bytes * 4, init, width.type, body)));
}

}  // namespace

TEST_CASE("the heap of kernels, each fault beside its repair") { check_all(heap); }
TEST_CASE("barriers, masks and stacks, each fault beside its repair") { check_all(barriers); }

TEST_CASE("faults of every width") {
  Bench bench;
  NEEDS_NVRTC(bench.fixture);
  for (const Width& width : widths) {
    INFO(width.type);
    Diagnosis d = only(run_with(bench, width, "o[0] = a[i];", "zeros"));
    CHECK(d.kind == "oob-read");
    CHECK(d.bytes == width.bytes);
    CHECK(d.index == int64_t(width.bytes) * 4);
    d = only(run_with(bench, width, "o[0] = a[i - 5];", "zeros"));
    CHECK(d.kind == "oob-read");
    CHECK(d.index == -int64_t(width.bytes));
    d = only(run_with(bench, width, fmt::format("a[i] = {};", width.zero), "zeros"));
    CHECK(d.kind == "oob-write");
    CHECK(d.bytes == width.bytes);
    d = only(run_with(bench, width, "o[0] = a[i - 2];", "uninit"));
    CHECK(d.kind == "uninit-read");
    CHECK(d.bytes == width.bytes);
    if (width.bytes == 1) continue;
    const std::string odd = fmt::format("o[0] = *({}*)((char*)a + i - 3);", width.type);
    d = only(run_with(bench, width, odd, "zeros"));
    CHECK(d.kind == "misaligned-read");
    CHECK(d.bytes == width.bytes);
  }
}

TEST_CASE("an atomic past the end, at an odd address, or of memory nobody wrote") {
  Bench bench;
  NEEDS_NVRTC(bench.fixture);
  const Width word{"unsigned", 4, "0"}, wide{"unsigned long long", 8, "0"};
  for (const Width& width : {word, wide}) {
    INFO(width.type);
    Diagnosis d = only(run_with(bench, width, fmt::format("atomicAdd(&a[i], ({})1);", width.type), "zeros"));
    CHECK(d.kind == "oob-write");
    CHECK(d.access == "atomic");
    CHECK(d.bytes == width.bytes);
    d = only(run_with(bench, width, fmt::format("atomicAdd(({0}*)((char*)a + i - 2), ({0})1);", width.type),
                      "zeros"));
    CHECK(d.kind == "misaligned-write");
    d = only(run_with(bench, width, fmt::format("atomicMax(&a[1], ({})1);", width.type), "uninit"));
    CHECK(d.kind == "uninit-read");
    CHECK(d.access == "atomic");
  }
}

TEST_CASE("an instruction of global memory does not reach shared memory") {
  Bench bench;
  NEEDS_NVRTC(bench.fixture);
  const char* const source = R"(
// launch: grid=(1,1,1) block=(1,1,1)
// args: o=buf:i32[1]:zeros
extern "C" __global__ void k(int* o) {
  __shared__ int s[4];
  s[1] = 5;
  int v;
  asm volatile("ld.global.s32 %0, [%1];" : "=r"(v) : "l"(&s[1]) : "memory");
  o[0] = v;
})";
  const RunResult result = bench.run(bench.request(source));
  CHECK(result.status == "fault");
  const Diagnosis d = only(result);
  CHECK(d.kind == "oob-read");
  CHECK(d.space == "shared");
  CHECK(d.line == 8);
}

TEST_CASE("memory that a kernel does not free is no error, and a full heap gives null") {
  Bench bench;
  NEEDS_NVRTC(bench.fixture);
  const RunResult result = bench.run(bench.request(R"(
// launch: grid=(2,1,1) block=(32,1,1)
// args: got=buf:i32[64]:zeros
extern "C" __global__ void k(int* got) {
  got[blockIdx.x * 32 + threadIdx.x] = malloc(1 << 18) != nullptr;
})"));
  INFO(text_of(result.diagnostics));
  CHECK(result.status == "ok");
  const Output* got = result.output("got");
  int given = 0;
  for (uint64_t i = 0; i < got->count; ++i) given += element_as_double(got->type, got->data.data(), i) != 0;
  CHECK(given == 32);  // of 256 KiB in 8 MiB
}
