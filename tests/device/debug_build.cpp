// The debug build's tables: what NVRTC describes of variables, and shared arrays through the blanked source.
#include <algorithm>

#include "catch.h"
#include "compiler_fixture.h"
#include "device/debug_names.h"
#include "device/debug_text.h"

using namespace warpbook;

namespace {

constexpr const char* source = R"(struct Pack { int n; float w[4]; double d; };
__constant__ float taps[5];
extern "C" __global__ void k(float* out, Pack p, int n) {
  __shared__ float tile[16][3];
  int i = threadIdx.x;
  float local[6];
  const int seven = 7;
  for (int j = 0; j < n; ++j) local[j % 6] = p.w[j & 3] * taps[j % 5] + seven;
  tile[i & 15][2] = local[i % 6];
  __syncthreads();
  out[i] = tile[15 - (i & 15)][2];
}
)";

const DebugVariable* variable(const std::vector<DebugVariable>& list, const std::string& name) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const auto& v) { return v.name == name; });
  return found == list.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("A debug section is read with its labels and offsets") {
  const std::string text =
      ".version 9.0\n\t.section\t.debug_loc\n\t{\n.b64 $L__tmp2\n.b64 $L__tmp3\n.b8 5\n.b8 0\n.b8 "
      "144,178\n.b8 "
      "228\n.b8 149\n.b8 1\n.b64 0\n.b64 0\n\t}\n";
  REQUIRE(read_debug_info(text).ok());  // no .debug_info: empty tables
  CHECK(read_debug_info(text)->functions.empty());
}

TEST_CASE("Sections of unknown forms are an error, never wrong names") {
  const std::string text =
      "\t.section\t.debug_abbrev\n\t{\n.b8 1\n.b8 17\n.b8 0\n.b8 3\n.b8 99\n.b8 0\n.b8 0\n.b8 0\n\t}\n"
      "\t.section\t.debug_info\n\t{\n.b32 20\n.b8 2\n.b8 0\n.b32 .debug_abbrev\n.b8 8\n.b8 1\n.b8 65\n.b8 "
      "0\n\t}\n";
  CHECK_FALSE(read_debug_info(text).ok());
}

TEST_CASE("The debug build tells variables, where they live and their types") {
  CompilerFixture fixture;
  NEEDS_NVRTC(fixture);
  CompileRequest request = request_for(source);
  request.debug = true;
  const auto built = fixture.compiler->compile(request);
  REQUIRE(built.ok());
  REQUIRE(built->code);
  const auto info = read_debug_info(built->code->ptx);
  REQUIRE(info.ok());
  const DebugFunction* kernel = info->function("k");
  REQUIRE(kernel);
  const DebugVariable* p = variable(kernel->variables, "p");
  const DebugVariable* local = variable(kernel->variables, "local");
  const DebugVariable* j = variable(kernel->variables, "j");
  REQUIRE(p);
  REQUIRE(local);
  REQUIRE(j);
  CHECK(p->parameter);
  CHECK(local->line == 6);
  CHECK(local->places.at(0).location.kind == DebugLocation::Kind::local);
  CHECK(j->places.size() > 1);
  CHECK(j->places[0].location.name.substr(0, 2) == "%r");
  CHECK(info->plain(local->type)->bytes == 24);
  CHECK(element_path(*info, p->type, 4 + 4 * 3) == ".w[3]");
  CHECK(element_path(*info, local->type, -4) == "[-1]");
  const DebugVariable* taps = variable(info->globals, "taps");
  REQUIRE(taps);
  CHECK(info->plain(taps->type)->dimensions == std::vector<uint32_t>{5});
  // NVRTC leaves out what a function declares __shared__.
  CHECK(variable(kernel->variables, "tile") == nullptr);

  request.source = without_shared(source).value();
  CHECK(request.source.size() == std::string(source).size());
  const auto blanked = fixture.compiler->compile(request);
  REQUIRE(blanked.ok());
  REQUIRE(blanked->code);
  const auto shapes = read_debug_info(blanked->code->ptx);
  REQUIRE(shapes.ok());
  REQUIRE(shapes->function("k"));
  const DebugVariable* tile = variable(shapes->function("k")->variables, "tile");
  REQUIRE(tile);
  CHECK(shapes->plain(tile->type)->dimensions == std::vector<uint32_t>{16, 3});
  CHECK(element_path(*shapes, tile->type, (15 * 3 + 2) * 4) == "[15][2]");
}

TEST_CASE("Only shared arrays of functions are blanked") {
  CHECK_FALSE(without_shared(
      "__shared__ int a[4];\n__global__ void k() { extern __shared__ int s[]; s[0] = a[0]; }"));
  CHECK_FALSE(without_shared("__global__ void k() { /* __shared__ int a; */ }"));
  const auto blanked =
      without_shared("namespace n { __global__ void k() { __shared__ int a[2]; a[0] = 1; } }");
  REQUIRE(blanked);
  CHECK(*blanked == "namespace n { __global__ void k() {            int a[2]; a[0] = 1; } }");
}
