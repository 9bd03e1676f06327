// Compiling: PTX, names, options, headers, the learner's includes.
#include <algorithm>

#include "base/text.h"
#include "catch.h"
#include "device/compiler_fixture.h"

using namespace warpbook;

namespace {

std::string all_messages(const CompileOutcome& outcome) {
  std::string text;
  for (const Diagnosis& found : outcome.diagnostics) {
    text += found.file + ":" + std::to_string(found.line) + ":" + std::to_string(found.column) + ": " +
            found.message + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("a kernel becomes PTX with lines, for the asked compute capability") {
  CompilerFixture fixture;
  NEEDS_NVRTC(fixture);
  auto outcome =
      fixture.compiler->compile(request_for("__global__ void scale(float* a) { a[threadIdx.x] *= 2; }\n"));
  REQUIRE(outcome.ok());
  INFO(all_messages(*outcome));
  REQUIRE(outcome->code);
  CHECK(outcome->diagnostics.empty());
  CHECK(outcome->code->source_file == "kernel.cu");
  CHECK_FALSE(outcome->code->cached);
  CHECK(outcome->code->compile_ms > 0);
  const std::string& ptx = outcome->code->ptx;
  CHECK(ptx.find(".target sm_80") != std::string::npos);
  CHECK(ptx.find(".entry _Z5scalePf") != std::string::npos);
  CHECK(ptx.find(".loc") != std::string::npos);
  CHECK(ptx.find("kernel.cu") != std::string::npos);
  CHECK(ptx.find('\0') == std::string::npos);

  auto other = request_for("__global__ void scale(float* a) { a[threadIdx.x] *= 2; }\n");
  other.compute = "9.0";
  outcome = fixture.compiler->compile(other);
  REQUIRE(outcome.ok());
  REQUIRE(outcome->code);
  CHECK(outcome->code->ptx.find(".target sm_90") != std::string::npos);
}

TEST_CASE("a debug build keeps what the optimiser removes") {
  CompilerFixture fixture;
  NEEDS_NVRTC(fixture);
  auto request = request_for("__global__ void k(int* a) { int unread = a[5]; (void)unread; }\n");
  auto plain = fixture.compiler->compile(request);
  request.debug = true;
  auto debug = fixture.compiler->compile(request);
  REQUIRE(plain.ok());
  REQUIRE(debug.ok());
  REQUIRE(plain->code);
  REQUIRE(debug->code);
  CHECK(plain->code->ptx.find("ld.u32") == std::string::npos);
  CHECK(debug->code->ptx.find(".target sm_80, debug") != std::string::npos);
  CHECK(debug->code->ptx.find("ld.u32") != std::string::npos);
}

TEST_CASE("name expressions give instances and their names in the PTX") {
  CompilerFixture fixture;
  NEEDS_NVRTC(fixture);
  auto request = request_for(
      "template <class T, int N> __global__ void fill(T* a) { a[threadIdx.x] = T(N); }\n"
      "namespace inner { __global__ void k(int* a) { a[0] = 1; } }\n"
      "extern \"C\" __global__ void plain(int* a) { a[0] = 2; }\n");
  request.names = {"fill<float, 4>", "inner::k", "plain"};
  auto outcome = fixture.compiler->compile(request);
  REQUIRE(outcome.ok());
  INFO(all_messages(*outcome));
  REQUIRE(outcome->code);
  const auto& names = outcome->code->names;
  REQUIRE(names.size() == 3);
  CHECK(names[0].first == "fill<float, 4>");
  CHECK(names[0].second == "_Z4fillIfLi4EEvPT_");
  CHECK(names[1].second == "_ZN5inner1kEPi");
  CHECK(names[2].second == "plain");
  for (const auto& [source, lowered] : names) {
    CHECK(outcome->code->ptx.find(".entry " + lowered) != std::string::npos);
  }
}

TEST_CASE("a kernel that is not there is named, with the nearest that is") {
  CompilerFixture fixture;
  NEEDS_NVRTC(fixture);
  const std::string source =
      "template <class T> __global__ void generic(T* a) { a[0] = 1; }\n"
      "__device__ void helper() {}\n"
      "__global__ void __launch_bounds__(256) transpose(float* a) { a[0] = 1; }\n"
      "#if __CUDA_ARCH__ >= 900\n"
      "__global__ void __cluster_dims__(2, 1, 1) clustered(float* a) { a[0] = 1; }\n"
      "#endif\n";
  const auto failing = [&](const std::string& name) {
    auto request = request_for(source);
    request.names = {name};
    auto outcome = fixture.compiler->compile(request);
    REQUIRE_FALSE(outcome.ok());
    CHECK(outcome.error().trouble == Trouble::not_found);
    return to_string(outcome.error());
  };
  CHECK(failing("transpos").find("did you mean transpose?") != std::string::npos);
  CHECK(failing("generic").find("generic<float>") != std::string::npos);
  CHECK(failing("helper").find("not marked __global__") != std::string::npos);
  CHECK(failing("zzz").find("generic, transpose, clustered") != std::string::npos);
}

TEST_CASE("headers that learners include by habit are there") {
  CompilerFixture fixture;
  NEEDS_NVRTC(fixture);
  auto outcome = fixture.compiler->compile(request_for(R"(#include <cassert>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
__global__ void k(float* a, double* d, uint64_t* n) {
  static_assert(sizeof(std::int16_t) == 2 && sizeof(uint64_t) == 8 && INT64_MIN < 0 && UINT64_MAX > 0, "");
  static_assert(sizeof(std::sqrt(1.f)) == 4 && sizeof(std::pow(2.0, 2.0)) == 8, "");
  static_assert(CHAR_BIT == 8 && INT_MAX == 2147483647 && LLONG_MAX > INT_MAX, "");
  assert(a != NULL);
  a[0] = std::sqrt(a[1]) + float(M_PI) + FLT_MAX + FLT_EPSILON + INFINITY + NAN;
  d[0] = std::exp(d[1]) + DBL_MAX + DBL_MIN;
  std::size_t size = offsetof(float4, y);
  std::memcpy(a + 2, a, size);
  atomicAdd(n, uint64_t(1));
  printf("%f\n", a[0]);
}
)"));
  REQUIRE(outcome.ok());
  INFO(all_messages(*outcome));
  CHECK(outcome->code);
  CHECK(outcome->diagnostics.empty());
}

TEST_CASE("the toolkit's headers are found") {
  CompilerFixture fixture;
  NEEDS_NVRTC(fixture);
  if (fixture.compiler->place().include_folders.empty()) {
    WARN("not tested: no CUDA headers were found beside NVRTC");
    return;
  }
  auto outcome = fixture.compiler->compile(
      request_for("#include <cstdint>\n#include <cooperative_groups.h>\n#include <cuda_fp16.h>\n"
                  "__global__ void k(__half* h, int* a) {\n  cooperative_groups::thread_block block = "
                  "cooperative_groups::this_thread_block();\n  block.sync();\n  h[0] = __hadd(h[1], h[2]);\n"
                  "  a[block.thread_rank()] = 1;\n}\n"));
  REQUIRE(outcome.ok());
  INFO(all_messages(*outcome));
  CHECK(outcome->code);
}

TEST_CASE("the learner's own headers are found, and a change in one compiles again") {
  CompilerFixture fixture;
  NEEDS_NVRTC(fixture);
  const Path own = fixture.folder.path() / "own";
  REQUIRE(write_file(own / "outer.h", "#pragma once\n#include \"inner.h\"\n").ok());
  REQUIRE(write_file(own / "inner.h", "#pragma once\n#define VALUE 77001\n").ok());
  auto request = request_for("#include \"outer.h\"\n__global__ void k(int* a) { a[0] = VALUE; }\n");
  request.include_folders = {own};
  auto outcome = fixture.compiler->compile(request);
  REQUIRE(outcome.ok());
  INFO(all_messages(*outcome));
  REQUIRE(outcome->code);
  CHECK(outcome->code->ptx.find("77001") != std::string::npos);
  CHECK(fixture.compiler->compile(request)->code->cached);

  REQUIRE(write_file(own / "inner.h", "#pragma once\n#define VALUE 77002\n").ok());
  outcome = fixture.compiler->compile(request);
  REQUIRE(outcome.ok());
  REQUIRE(outcome->code);
  CHECK_FALSE(outcome->code->cached);
  CHECK(outcome->code->ptx.find("77002") != std::string::npos);
}

TEST_CASE("defines reach the source") {
  CompilerFixture fixture;
  NEEDS_NVRTC(fixture);
  auto request = request_for("__global__ void k(int* a) { a[0] = TILE; }\n");
  for (const char* tile : {"71016", "71032"}) {
    request.defines = {{"TILE", tile}};
    auto outcome = fixture.compiler->compile(request);
    REQUIRE(outcome.ok());
    REQUIRE(outcome->code);
    CHECK(outcome->code->ptx.find(tile) != std::string::npos);
  }
}

TEST_CASE("the PTX names the file as the learner does") {
  CompilerFixture fixture;
  NEEDS_NVRTC(fixture);
  for (const std::string file : {"kernel.cu", "../a folder/k.cu", "/abs/k.cu", "caf\xC3\xA9/a\"b.cu"}) {
    for (const bool debug : {false, true}) {
      auto request = request_for("__global__ void k(int* a) { a[0] = 1; }\n");
      request.file = file;
      request.debug = debug;
      auto outcome = fixture.compiler->compile(request);
      REQUIRE(outcome.ok());
      REQUIRE(outcome->code);
      CHECK(outcome->code->ptx.find("\t.file\t1 \"" + replace_all(file, "\"", "\\\"") + "\"") !=
            std::string::npos);
      CHECK(outcome->code->source_file == file);
    }
  }
}

TEST_CASE("a byte order mark and Windows line ends are no trouble") {
  CompilerFixture fixture;
  NEEDS_NVRTC(fixture);
  auto outcome = fixture.compiler->compile(
      request_for("\xEF\xBB\xBF// caf\xC3\xA9\r\n__global__ void k(int* a) {\r\n  a[0] = 1;\r\n}\r\n"));
  REQUIRE(outcome.ok());
  INFO(all_messages(*outcome));
  CHECK(outcome->code);
}
