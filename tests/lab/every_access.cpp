// Faults wherever the code stands (called and inlined functions, templates, lambdas, macros, functions of a
// header) and in every memory at every width.
#include <fmt/format.h>

#include "lab/situations.h"

using namespace warpbook;
using namespace warpbook::lab_tests;

namespace {

/// What a piece of code does wrong with `p` (16 ints, or what `given` says), i = 16 and zero = 0.
struct Fault {
  const char* name;
  const char* kind;
  const char* given;       ///< the argument a
  const char* statements;  ///< of a function; the first line is the one at fault
  const char* expression;  ///< of a macro
};
const Fault faults[] = {
    {"read", "oob-read", "a=buf:i32[16]:iota", "return p[i];", "(p)[i]"},
    {"write", "oob-write", "a=buf:i32[16]:iota", "p[i] = 3; return 0;", "((p)[i] = 3)"},
    {"update", "oob-write", "a=buf:i32[16]:iota", "return atomicAdd(p + i, 3);", "atomicAdd((p) + i, 3)"},
    {"odd", "misaligned-read", "a=buf:i32[16]:iota", "return (int)*(long long*)(p + 1);",
     "(int)*(long long*)((p) + 1)"},
    {"unwritten", "uninit-read", "a=buf:i32[16]:uninit", "return p[2] + 1;", "((p)[2] + 1)"},
    {"null", "null-pointer", "a=null", "return p[0];", "(p)[0]"},
    {"divide", "div-by-zero", "a=buf:i32[16]:iota", "return i / zero;", "(i / zero)"},
    {"race", "race-global", "a=buf:i32[16]:iota", "return p[0] = (int)threadIdx.x;",
     "((p)[0] = (int)threadIdx.x)"},
    {"barrier", "divergent-barrier", "a=buf:i32[16]:iota", "if (threadIdx.x < 3) __syncthreads(); return 0;",
     "(threadIdx.x < 3 ? (__syncthreads(), 1) : 0)"},
};
const char* const wrappings[] = {"called", "inlined", "generic", "lambda", "macro"};

/// One kernel, with the line at fault marked.
std::string kernel_of(const Fault& fault, const std::string& wrapping) {
  const std::string name = fmt::format("{}_{}", fault.name, wrapping);
  const std::string head =
      fmt::format("extern \"C\" __global__ void {}(int* out, int* a, int i, int zero) {{\n", name);
  const std::string body = fmt::format("{}  //!{}\n", fault.statements, name);
  if (wrapping == "macro")
    return fmt::format("#define PART_{}(p) {}\n{}  out[threadIdx.x] = PART_{}(a);  //!{}\n}}\n", name,
                       fault.expression, head, name, name);
  if (wrapping == "lambda")
    return fmt::format(
        "{}  auto part = [&](int* p) -> int {{\n    {}  }};\n  out[threadIdx.x] = part(a);\n}}\n", head,
        body);
  const std::string before = wrapping == "called"    ? "__device__ __noinline__"
                             : wrapping == "generic" ? "template <typename T> __device__"
                                                     : "__device__";
  return fmt::format(
      "{} int part_{}({}* p, int i, int zero) {{\n  {}}}\n{}  out[threadIdx.x] = part_{}(a, i, zero);\n}}\n",
      before, name, wrapping == "generic" ? "T" : "int", body, head, name);
}

const Diagnosis& only_alarm(const RunResult& result) {
  const Diagnosis* alarm = nullptr;
  int count = 0;
  for (const Diagnosis& d : result.diagnostics) {
    if (d.severity == Severity::note || d.kind == "arg-type-mismatch") continue;
    if (!alarm) alarm = &d;
    ++count;
  }
  INFO(text_of(result.diagnostics));
  REQUIRE(alarm);
  CHECK(count == 1);
  return *alarm;
}

struct Width {
  const char* type;
  uint32_t bytes;
  const char* value;  ///< another in each thread
};
const Width widths[] = {{"unsigned char", 1, "(unsigned char)(threadIdx.x + 1)"},
                        {"short", 2, "(short)(threadIdx.x + 1)"},
                        {"float", 4, "threadIdx.x + 1.0f"},
                        {"double", 8, "threadIdx.x + 1.0"},
                        {"float2", 8, "make_float2(threadIdx.x, 1)"},
                        {"int4", 16, "make_int4((int)threadIdx.x, 1, 2, 3)"}};

/// The kernel's lines for T: what is wrong stands on the line marked.
struct Memory {
  const char* name;
  const char* kind;
  const char* space;
  const char* buffer;
  const char* lines;
};
const Memory memories[] = {
    {"past the end of shared", "oob-read", "shared", "s",
     "__shared__ T s[4];\ns[threadIdx.x] = VALUE;\n__syncthreads();\no[threadIdx.x] = s[i];  //!\n"},
    {"before the start of shared", "oob-write", "shared", "s",
     "__shared__ T s[4];\ns[threadIdx.x - i] = VALUE;  //!\n__syncthreads();\no[threadIdx.x] = s[1];\n"},
    {"past the end of local", "oob-write", "local", "l",
     "T l[4] = {};\nl[i] = VALUE;  //!\no[threadIdx.x] = l[i - 1];\n"},
    {"past the end of constant", "oob-read", "const", "table", "o[threadIdx.x] = table[i];  //!\n"},
    {"past the end of the heap", "oob-write", "global", "heap",
     "T* p = (T*)malloc(4 * sizeof(T));\np[i] = VALUE;  //!\no[threadIdx.x] = p[i - 1];\nfree(p);\n"},
    {"never written in shared", "uninit-read", "shared", "s",
     "__shared__ T s[4];\nif (i > 9) s[threadIdx.x] = VALUE;\n__syncthreads();\no[threadIdx.x] = s[1];  "
     "//!\n"},
    {"never written in local", "uninit-read", "local", "l",
     "T l[4];\nif (i > 9) l[threadIdx.x] = VALUE;\no[threadIdx.x] = l[1];  //!\n"},
    {"raced for in shared", "race-shared", "shared", "s",
     "__shared__ T s[4];\ns[i - 4] = VALUE;  //!\n__syncthreads();\no[threadIdx.x] = s[0];\n"},
    {"raced for in global", "race-global", "global", "o", "o[i - 4] = VALUE;  //!\n"},
};

}  // namespace

TEST_CASE("every fault is told at the learner's line, whatever the code is wrapped in") {
  Bench bench;
  NEEDS_NVRTC(bench.fixture);
  std::string source;
  for (const Fault& fault : faults)
    for (const char* wrapping : wrappings) source += kernel_of(fault, wrapping);
  for (const Fault& fault : faults) {
    for (const char* wrapping : wrappings) {
      INFO(fault.name << " " << wrapping);
      RunRequest request = bench.request(source);
      request.kernel = fmt::format("{}_{}", fault.name, wrapping);
      request.launch = Launch{{1, 1, 1}, {8, 1, 1}, 0, false};
      request.args = {"out=buf:i32[8]:zeros", fault.given, "i=i32:16", "zero=i32:0"};
      request.args_complete = true;
      const RunResult result = bench.run(request);
      const Diagnosis& d = only_alarm(result);
      INFO(text_of(result.diagnostics));
      CHECK(d.kind == fault.kind);
      CHECK(d.line == lines_marked(source, "//!" + request.kernel).front());
      const bool about_a = std::string(fault.name) != "divide" && std::string(fault.name) != "barrier";
      if (about_a) CHECK(d.buffer == "a");
    }
  }
}

TEST_CASE("a header's function is charged to the line that calls it") {
  Bench bench;
  NEEDS_NVRTC(bench.fixture);
  struct {
    const char* call;
    const char* kind;
  } const calls[] = {{"out[0] = __ldg(a + i);", "oob-read"},
                     {"out[0] = __ldcg(a + i);", "oob-read"},
                     {"__stcs(a + i, 1);", "oob-write"},
                     {"atomicMax(a + i, 1);", "oob-write"},
                     {"out[0] = cuda::atomic_ref<int>(a[i]).load();", "oob-read"}};
  for (const auto& one : calls) {
    INFO(one.call);
    const std::string header =
        std::string(one.call).find("cuda::") != std::string::npos ? "#include <cuda/atomic>\n" : "\n";
    RunRequest request = bench.request(
        header + "extern \"C\" __global__ void k(int* out, int* a, int i) {\n  " + one.call + "\n}\n");
    request.launch = Launch{{1, 1, 1}, {1, 1, 1}, 0, false};
    request.args = {"out=buf:i32[1]:zeros", "a=buf:i32[16]:iota", "i=i32:16"};
    const RunResult result = bench.run(request);
    const Diagnosis& d = only_alarm(result);
    INFO(text_of(result.diagnostics));
    CHECK(d.kind == one.kind);
    CHECK(d.line == 3);
    CHECK(d.buffer == "a");
    CHECK(d.index == 16);
  }
}

TEST_CASE("every memory at every width") {
  Bench bench;
  NEEDS_NVRTC(bench.fixture);
  for (const Width& width : widths) {
    for (const Memory& memory : memories) {
      INFO(width.type << " " << memory.name);
      std::string source =
          fmt::format("#define VALUE {}\ntypedef {} T;\n__constant__ T table[4];\n", width.value, width.type);
      source += fmt::format("extern \"C\" __global__ void k(T* o, int i) {{\n{}}}\n", memory.lines);
      RunRequest request = bench.request(source);
      request.launch = Launch{{1, 1, 1}, {2, 1, 1}, 0, false};
      request.args = {fmt::format("o=buf:u8[{}]:zeros", 4 * width.bytes), "i=i32:4"};
      const RunResult result = bench.run(request);
      const Diagnosis& d = only_alarm(result);
      INFO(text_of(result.diagnostics));
      CHECK(d.kind == memory.kind);
      CHECK(d.space == memory.space);
      CHECK(d.buffer == memory.buffer);
      CHECK(d.line == lines_marked(source, "//!").front());
      // Where the index has wrapped, the debug build's members stand for themselves.
      const bool wrapped = d.index.value_or(0) > int64_t(1) << 30;
      if (d.kind != "uninit-read" && !wrapped) CHECK(d.bytes == width.bytes);
    }
  }
}
