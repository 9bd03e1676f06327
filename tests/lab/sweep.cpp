// The axes of a sweep, and what they do to a launch.
#include "lab/sweep.h"

#include "catch.h"
#include "ladder.h"

using namespace warpbook;

TEST_CASE("sweep: values double, step, or are listed") {
  CHECK(parse_axis("block=32..256", false)->values == std::vector<int64_t>{32, 64, 128, 256});
  CHECK(parse_axis("block=32..128:48", false)->values == std::vector<int64_t>{32, 80, 128});
  CHECK(parse_axis(" T = 8, 16 ,32", true)->values == std::vector<int64_t>{8, 16, 32});
  CHECK(parse_axis("T=8", true)->name == "T");
  for (const char* wrong :
       {"block", "=3", "block=", "block=8..4", "block=a..b", "block=0..8", "block=1,,2", "block=1..9:0"}) {
    INFO(wrong);
    CHECK_FALSE(parse_axis(wrong, false).ok());
  }
}

TEST_CASE("sweep: another block size keeps the threads, another grid does not") {
  Launch launch{{10, 2, 1}, {128, 1, 1}, 0, false};
  REQUIRE(apply_to_launch(launch, "block", 96).ok());
  CHECK(launch.grid == Dim3{14, 2, 1});
  CHECK(launch.block == Dim3{96, 1, 1});
  REQUIRE(apply_to_launch(launch, "grid", 3).ok());
  CHECK(launch.grid.x == 3);
  REQUIRE(apply_to_launch(launch, "shared", 65536).ok());
  CHECK(launch.shared_bytes == 65536);
  CHECK(launch.shared_optin);
  CHECK_FALSE(apply_to_launch(launch, "block", 0).ok());
  CHECK_FALSE(apply_to_launch(launch, "colour", 1).ok());
}

TEST_CASE("sweep: tables name the fastest, and CSV quotes messages") {
  SweepResult result;
  result.axes = {{"block", {64, 128}, false}};
  for (const int64_t block : {64, 128}) {
    SweepPoint point;
    point.setting = {{"block", block}};
    point.gpu = "T4";
    point.status = "ok";
    point.time = ModelledTime{};
    point.time->us = block == 64 ? 20 : 10;
    point.time->dominating = "dram";
    result.points.push_back(point);
  }
  SweepPoint bad;
  bad.setting = {{"block", 4096}};
  bad.gpu = "T4";
  bad.status = "launch-error";
  bad.message = "a block holds 1,024, no more";
  result.points.push_back(bad);
  const std::string text = sweep_as_text(result, {});
  CHECK(text.find("10 µs") != std::string::npos);
  CHECK(text.find("block=128") < text.find("fastest"));
  CHECK(text.find("launch-error") != std::string::npos);
  const std::string csv = sweep_as_csv(result);
  CHECK(csv.find("block,gpu,status,us") == 0);
  CHECK(csv.find("\"a block holds 1,024, no more\"") != std::string::npos);
  result.complete = false;
  CHECK(sweep_as_text(result, {}).find("cancelled") != std::string::npos);
}

TEST_CASE("sweep: a macro stands below the leading comments, and lines keep their numbers") {
  std::string source = "// launch: grid=(1,1,1) block=(1,1,1)\n\n__global__ void k(int* o) { *o = T; }\n";
  REQUIRE(define_in_source(source, "T", 8).ok());
  CHECK(source ==
        "// launch: grid=(1,1,1) block=(1,1,1)\n\n#define T 8\n#line 3\n__global__ void k(int* o) { *o = T; "
        "}\n");
}

TEST_CASE("sweep: a macro that would change nothing is refused, not swept in equal rows") {
  const auto defines = [](std::string source) { return define_in_source(source, "T", 8).ok(); };
  CHECK_FALSE(defines("// T is a tile\n__global__ void k(int* TILE) {}\n"));
  CHECK_FALSE(defines("#define T 4\n__global__ void k(int* o) { *o = T; }\n"));
  CHECK(defines("#ifndef T\n#define T 4\n#endif\n__global__ void k(int* o) { *o = T; }\n"));
  CHECK(defines("#define SIDE (2 * T)\n__global__ void k(int* o) { *o = SIDE; }\n"));
  CHECK(defines("#if T > 4\n#endif\n__global__ void k() {}\n"));
}

TEST_CASE("sweep: what was done before it was cancelled is kept") {
  Session* session = ladder::session();
  if (!session) return;
  SweepPlan plan;
  plan.axes = {{"block", {32, 64, 128}, false}};
  plan.gpus = {ladder::gpu_of("T4"), ladder::gpu_of("RTX 4090")};
  plan.request = [](const SweepSetting& setting) -> Result<RunRequest> {
    RunRequest request;
    request.source = ladder::source_of("fusion.cu");
    request.kernel = "copy";
    request.launch = Launch{{16, 1, 1}, {128, 1, 1}, 0, false};
    request.args = {"a=buf:f32[2048]:zeros", "b=buf:f32[2048]:uninit", "n=i32:2048"};
    request.args_complete = true;
    request.level = Level::measure;
    if (const auto set = apply_to_launch(*request.launch, setting[0].first, setting[0].second); !set)
      return set.error();
    return request;
  };
  RunProgress progress;
  size_t told = 0;
  SweepPlan wrong = plan;
  wrong.axes = {{"block", {32, 0}, false}};
  const auto refused = sweep(
      *session, wrong, [&](size_t, size_t, const SweepSetting&) { ++told; }, nullptr);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message.find("block=0") == 0);
  CHECK(told == 0);  // nothing ran before it was said
  const auto result = sweep(
      *session, plan,
      [&](size_t done, size_t all, const SweepSetting&) {
        CHECK(done == told++);
        CHECK(all == 3);
        if (done == 2) progress.stop = true;
      },
      &progress);
  REQUIRE(result.ok());
  CHECK_FALSE(result->complete);
  REQUIRE(result->points.size() == 4);  // two settings on two GPUs
  for (const SweepPoint& point : result->points) CHECK(point.time);
  CHECK(result->points[3].setting == SweepSetting{{"block", 64}});
  CHECK(sweep_as_text(*result, {}).find("cancelled") != std::string::npos);
  CHECK(sweep_as_json(*result).find("\"complete\": false") != std::string::npos);
}
