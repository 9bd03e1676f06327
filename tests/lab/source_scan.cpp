// Kernels and parameters found in source text.
#include "lab/source_scan.h"

#include "catch.h"

using namespace warpbook;

TEST_CASE("An attribute of a kernel's launch is not taken for its name") {
  const SourceScan scan = scan_source(R"(
extern "C" __global__ void __cluster_dims__(2, 1, 1) clustered(int* o) { o[0] = 1; }
__global__ __launch_bounds__(128) void bounded(int* o) { o[0] = 1; }
__global__ void __launch_bounds__(64) __maxnreg__(32) both(int* o) { o[0] = 1; }
__global__ void __block_size__((64, 1, 1), (2, 1, 1)) sized(int* o) { o[0] = 1; }
)");
  std::vector<std::string> names;
  for (const KernelSource& kernel : scan.kernels) names.push_back(kernel.name);
  CHECK(names == std::vector<std::string>{"clustered", "bounded", "both", "sized"});
  for (const KernelSource& kernel : scan.kernels) CHECK(kernel.parameters.size() == 1);
}

TEST_CASE("Kernels are found with their parameters") {
  const SourceScan scan = scan_source(R"(
#include <cstdio>
// __global__ void commented_out(int*) {}
/* __global__ void also(int*) {} */
#if 0
__global__ void disabled(int* p) {}
#endif
const char* text = "__global__ void quoted(int*) {}";
__device__ float helper(float x) { return x; }
extern "C" __global__ void __launch_bounds__(256, 2) scale(float* __restrict__ out, const float *a, unsigned int n)
{ if (n) { out[0] = a[0]; } }
namespace filters { namespace inner {
__global__ void blur(const uint8_t (*rows), double weights[], float4* v, void* any) {}
} }
template <typename T, int N = 4> __global__ void fill(T* out, T value) {}
extern "C" { __global__ void in_block(long long k) {} }
__global__ void declared(int n);
)");
  REQUIRE(scan.kernels.size() == 5);
  const KernelSource& scale = scan.kernels[0];
  CHECK(scale.name == "scale");
  CHECK(scale.extern_c);
  CHECK(scale.line == 10);
  REQUIRE(scale.parameters.size() == 3);
  CHECK(scale.parameters[0].name == "out");
  CHECK(scale.parameters[0].pointer);
  CHECK(scale.parameters[0].element == ElementType::f32);
  CHECK(scale.parameters[1].name == "a");
  CHECK(scale.parameters[2].name == "n");
  CHECK_FALSE(scale.parameters[2].pointer);
  CHECK(scale.parameters[2].element == ElementType::u32);
  CHECK(signature_of(scale) == "scale(float* out, const float* a, unsigned int n)");
  const KernelSource& blur = scan.kernels[1];
  CHECK(blur.qualified == "filters::inner::blur");
  REQUIRE(blur.parameters.size() == 4);
  CHECK(blur.parameters[1].pointer);
  CHECK(blur.parameters[1].name == "weights");
  CHECK(blur.parameters[2].element == ElementType::f32);
  CHECK_FALSE(blur.parameters[3].element.has_value());
  CHECK(scan.kernels[2].is_template);
  CHECK(scan.kernels[3].extern_c);
  CHECK(scan.kernels[3].parameters[0].element == ElementType::i64);
  CHECK(scan.kernels[4].name == "declared");
  CHECK_FALSE(scan.has_main);
}

TEST_CASE("Template arguments and aliases give parameters their types") {
  const SourceScan scan = scan_source(
      "#define REAL double\nusing real = float;\ntypedef unsigned long long big;\n"
      "template <class T, int N> __global__ void fill(T* out, T value, real* r, big b, REAL* d) {}\n");
  REQUIRE(scan.kernels.size() == 1);
  const auto parameters = parameters_of(scan.kernels[0], "fill<int, 4>");
  CHECK(parameters[0].element == ElementType::i32);
  CHECK(parameters[1].element == ElementType::i32);
  CHECK(parameters[2].element == ElementType::f32);
  CHECK(parameters[3].element == ElementType::u64);
  CHECK(parameters[4].element == ElementType::f64);
  CHECK(parameters_of(scan.kernels[0], "fill<unsigned char, 2>")[0].element == ElementType::u8);
}

TEST_CASE("A main function, broken text and no text are all read to the end") {
  CHECK(scan_source("int main() { return 0; }").has_main);
  CHECK_FALSE(scan_source("struct S { int main(); };").has_main);
  CHECK(scan_source("").kernels.empty());
  CHECK(scan_source("__global__").kernels.empty());
  CHECK(scan_source("__global__ void").kernels.empty());
  CHECK(scan_source("__global__ void k(").kernels.size() <= 1);
  CHECK(scan_source("template <").kernels.empty());
  CHECK(scan_source("/* open").kernels.empty());
  CHECK(scan_source("\"open\n__global__ void k(int n) {}").kernels.size() == 1);
  CHECK(scan_source("R\"x(").kernels.empty());
}
