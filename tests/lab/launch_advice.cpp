// Notes about launches that leave lanes or multiprocessors idle.
#include "lab/launch_advice.h"

#include "lab/situations.h"

using namespace warpbook;
using namespace warpbook::lab_tests;

namespace {

GpuRow gpu_with(int sms) {
  GpuRow gpu;
  gpu.name = "test GPU";
  gpu.sms = sms;
  return gpu;
}

}  // namespace

TEST_CASE("A last warp that is not full is told with the size that costs the same") {
  const auto notes = launch_advice({{64, 1, 1}, {100, 1, 1}, 0, false}, gpu_with(40));
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].severity == Severity::note);
  CHECK(notes[0].message.find("is 4 warps, and only 4 of the 32 lanes") != std::string::npos);
  CHECK(notes[0].hint.find("128 threads") != std::string::npos);
}

TEST_CASE("Blocks smaller than a warp are told as such") {
  const auto notes = launch_advice({{512, 1, 1}, {2, 2, 2}, 0, false}, gpu_with(40));
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].message.find("fills 8 of the 32 lanes of its only warp") != std::string::npos);
}

TEST_CASE("Few large blocks leave multiprocessors idle") {
  const auto notes = launch_advice({{4, 1, 1}, {1024, 1, 1}, 0, false}, gpu_with(108));
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].message.find("4 of the 108 multiprocessors") != std::string::npos);
  CHECK(launch_advice({{4, 1, 1}, {1024, 1, 1}, 0, false}, gpu_with(6)).empty());
  CHECK(launch_advice({{16, 1, 1}, {256, 1, 1}, 0, false}, gpu_with(108)).empty());
}

TEST_CASE("Full warps on many blocks, and launches that are only for looking at, get no advice") {
  CHECK(launch_advice({{64, 1, 1}, {128, 2, 1}, 0, false}, gpu_with(40)).empty());
  CHECK(launch_advice({{2, 1, 1}, {100, 1, 1}, 0, false}, gpu_with(40)).empty());
}

TEST_CASE("A run that finds nothing wrong ends with the advice, at the kernel's line") {
  Bench bench;
  NEEDS_NVRTC(bench.fixture);
  RunRequest request = bench.request(R"(
// launch: grid=(30,1,1) block=(100,1,1)
// args: o=buf:i32[3000]:zeros
extern "C" __global__ void k(int* o) { o[blockIdx.x * 100 + threadIdx.x] = 1; }
)");
  const RunResult result = bench.run(request);
  CHECK(result.status == "ok");
  CHECK(result.exit_code == 0);
  REQUIRE(result.diagnostics.size() == 1);
  CHECK(result.diagnostics[0].kind == "launch-advice");
  CHECK(result.diagnostics[0].line == 4);
  request.level = Level::measure;
  CHECK(bench.run(request).diagnostics.empty());
}
