// What ptxas says of kernels: registers, shared memory, stack and spills, for the architecture that was asked
// for, and the same from the cache.
#include <algorithm>

#include "catch.h"
#include "device/compiler_fixture.h"
#include "device/cubin.h"
#include "device/resources.h"

using namespace warpbook;

namespace {

const char* two_kernels =
    "extern \"C\" __global__ void tile(float* x) {\n"
    "  __shared__ float s[32][33];\n"
    "  s[threadIdx.y][threadIdx.x] = x[threadIdx.x];\n"
    "  __syncthreads();\n"
    "  x[threadIdx.x] = s[threadIdx.x][threadIdx.y];\n"
    "}\n"
    "extern \"C\" __global__ void __launch_bounds__(1024, 2) spill(float* x, int n) {\n"
    "  float a[48];\n"
    "  for (int i = 0; i < 48; ++i) a[i] = x[i * n + threadIdx.x];\n"
    "  for (int k = 0; k < n; ++k)\n"
    "    for (int i = 0; i < 48; ++i) a[i] = a[i] * a[(i + 1) % 48] + a[(i + 7) % 48];\n"
    "  for (int i = 0; i < 48; ++i) x[i * n + threadIdx.x] = a[i];\n"
    "}\n";

KernelResources named(const std::vector<KernelResources>& all, const std::string& name) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const KernelResources& one) { return one.name == name; });
  REQUIRE(found != all.end());
  return *found;
}

}  // namespace

TEST_CASE("registers, shared memory and spills come from the compiled file, also out of the cache") {
  CompilerFixture fixture;
  NEEDS_NVRTC(fixture);
  for (const bool cached : {false, true}) {
    const auto outcome = fixture.compiler->compile(request_for(two_kernels));
    REQUIRE(outcome.ok());
    REQUIRE(outcome->code);
    CHECK(outcome->code->cached == cached);
    CHECK(outcome->diagnostics.empty());
    REQUIRE(resources_of(*outcome->code).size() == 2);
    const KernelResources tile = named(resources_of(*outcome->code), "tile");
    CHECK(tile.architecture == "sm_80");
    CHECK(tile.static_shared_bytes == 4224);
    CHECK(tile.registers >= 8);
    CHECK(tile.registers <= 32);
    CHECK(tile.barriers == 1);
    CHECK(tile.spill_store_bytes == 0);
    const KernelResources spill = named(resources_of(*outcome->code), "spill");
    CHECK(spill.registers == 32);  // 65,536 registers over 2 blocks of 1,024 threads
    CHECK(spill.stack_bytes > 0);
    CHECK(spill.spill_store_bytes > 0);
    CHECK(spill.spill_load_bytes > 0);
  }
}

TEST_CASE("registers are those of the chosen architecture") {
  CompilerFixture fixture;
  NEEDS_NVRTC(fixture);
  CompileRequest request = request_for(two_kernels);
  request.compute = "9.0";
  const auto outcome = fixture.compiler->compile(request);
  REQUIRE(outcome.ok());
  REQUIRE(outcome->code);
  CHECK(named(resources_of(*outcome->code), "tile").architecture == "sm_90");
}

TEST_CASE("what only ptxas refuses still compiles, without resources") {
  CompilerFixture fixture;
  NEEDS_NVRTC(fixture);
  const auto outcome =
      fixture.compiler->compile(request_for("__global__ void big(float* x) {\n"
                                            "  __shared__ float s[13000];\n"
                                            "  s[threadIdx.x] = x[3];\n"
                                            "  __syncthreads();\n"
                                            "  x[threadIdx.x] = s[threadIdx.x ^ 1];\n"
                                            "}\n"));
  REQUIRE(outcome.ok());
  REQUIRE(outcome->code);
  CHECK(resources_of(*outcome->code).empty());
}

TEST_CASE("a file that is no cubin, or cut off, is an error") {
  CHECK_FALSE(read_cubin("").ok());
  CHECK_FALSE(read_cubin("not an ELF file at all").ok());
  std::string header(64, '\0');
  header.replace(0, 5,
                 "\x7f"
                 "ELF\2");
  header[0x28] = 60;  // a section table that lies outside
  header[0x3a] = 64;
  header[0x3c] = 3;
  CHECK_FALSE(read_cubin(header).ok());
}

TEST_CASE("the log of ptxas is read by kernel, and leaves no trace in the compiler's log") {
  std::vector<KernelResources> kernels(2);
  kernels[0].name = "a";
  kernels[1].name = "b";
  const std::string log =
      "kernel.cu(3): warning #177-D: variable \"x\" was declared but never referenced\n"
      "ptxas info    : Compiling entry function 'b' for 'sm_80'\n"
      "ptxas info    : Function properties for b\n"
      "ptxas         .     856 bytes stack frame, 1196 bytes spill stores, 1252 bytes spill loads\n"
      "ptxas info    : Used 32 registers, used 2 barriers, 360 bytes cmem[0]\n";
  read_ptxas_log(log, kernels);
  CHECK(kernels[0].spill_store_bytes == 0);
  CHECK(kernels[1].spill_store_bytes == 1196);
  CHECK(kernels[1].spill_load_bytes == 1252);
  CHECK(kernels[1].barriers == 2);
  const std::string kept = without_ptxas_reports(log);
  CHECK(kept.find("warning") != std::string::npos);
  CHECK(kept.find("ptxas") == std::string::npos);
}
