// Orders by seed: what depends on them is told with both values, and a seed brings the same order again. What
// a run says does not depend on how many threads of the host ran it.
#include <nlohmann/json.hpp>

#include "lab/report.h"
#include "lab/schedules.h"
#include "lab/situations.h"

using namespace warpbook;
using namespace warpbook::lab_tests;

namespace {

/// Each block takes a number: who comes first shows, though nothing races.
const char* const tickets = R"(
// launch: grid=(6,1,1) block=(1,1,1)
// args: place=buf:i32[6]:zeros; next=buf:i32[1]:zeros
extern "C" __global__ void k(int* place, int* next) { place[blockIdx.x] = atomicAdd(next, 1); }
)";

const Diagnosis* find(const RunResult& result, const std::string& kind) {
  for (const Diagnosis& d : result.diagnostics) {
    if (d.kind == kind) return &d;
  }
  return nullptr;
}

std::vector<int32_t> values(const RunResult& result, const std::string& name) {
  const Output* output = result.output(name);
  REQUIRE(output);
  std::vector<int32_t> v(output->count);
  std::memcpy(v.data(), output->data.data(), output->data.size());
  return v;
}

/// All of it but times, which are the clock's.
std::string without_times(const RunResult& result) {
  auto json = nlohmann::ordered_json::parse(run_as_json(result));
  json.erase("time");
  return json.dump(1);
}

}  // namespace

TEST_CASE("seeds name orders: forward, reverse, in turns, then shuffled") {
  CHECK(schedule_numbered(0).order == Order::forward);
  CHECK(schedule_numbered(1).order == Order::reverse);
  CHECK(schedule_numbered(2).order == Order::round_robin);
  CHECK(schedule_numbered(3).order == Order::shuffled);
  CHECK(schedule_numbered(77).seed == 77);
}

TEST_CASE("a result that depends on the order is told with both values and both seeds") {
  Bench bench;
  NEEDS_NVRTC(bench.fixture);
  RunRequest request = bench.request(tickets);
  request.schedules = 6;
  const RunResult result = bench.run(request);
  INFO(text_of(result.diagnostics));
  CHECK(result.status == "ok");
  CHECK(result.schedules_run == 6);
  CHECK(result.schedules_different >= 1);
  const Diagnosis* d = find(result, "schedule-dependent");
  REQUIRE(d);
  CHECK(d->severity == Severity::warning);
  CHECK(d->buffer == "place");
  CHECK(d->index == 0);
  CHECK(d->count == 1);
  CHECK(d->message.find("place[0] is 0 with --seed 0") != std::string::npos);
  CHECK(d->message.find("and 5 with --seed 1") != std::string::npos);
}

TEST_CASE("a seed brings the same order again, and only its own") {
  Bench bench;
  NEEDS_NVRTC(bench.fixture);
  RunRequest request = bench.request(tickets);
  std::vector<std::vector<int32_t>> seen;
  for (uint64_t seed : {0, 1, 3, 4, 5, 6}) {
    request.seed = seed;
    const auto first = values(bench.run(request), "place");
    CHECK(values(bench.run(request), "place") == first);
    seen.push_back(first);
  }
  CHECK(seen[0] == std::vector<int32_t>{0, 1, 2, 3, 4, 5});
  CHECK(seen[1] == std::vector<int32_t>{5, 4, 3, 2, 1, 0});
  CHECK(seen[2] != seen[3]);
}

TEST_CASE("lanes of one warp that parted, and lanes at one atomic, have no order of their own") {
  Bench bench;
  NEEDS_NVRTC(bench.fixture);
  struct {
    const char* source;
    int32_t first, second;  ///< place[0] in the first order and in the reverse one
  } const kernels[] = {
      {R"(
// launch: grid=(1,1,1) block=(32,1,1)
// args: place=buf:i32[2]:zeros; next=buf:i32[1]:zeros
extern "C" __global__ void k(volatile int* place, int* next) {
  if (threadIdx.x < 16) {
    if (threadIdx.x == 0) place[0] = atomicAdd(next, 1);
  } else {
    if (threadIdx.x == 16) place[1] = atomicAdd(next, 1);
  }
  __syncwarp();
})",
       0, 1},
      {R"(
// launch: grid=(1,1,1) block=(32,1,1)
// args: place=buf:i32[32]:zeros; next=buf:i32[1]:zeros
extern "C" __global__ void k(int* place, int* next) { place[threadIdx.x] = atomicAdd(next, 1); }
)",
       0, 31},
  };
  for (const auto& kernel : kernels) {
    INFO(kernel.source);
    RunRequest request = bench.request(kernel.source);
    request.schedules = 8;
    const RunResult result = bench.run(request);
    INFO(text_of(result.diagnostics));
    CHECK(result.status == "ok");
    CHECK(find(result, "schedule-dependent"));
    request.schedules = 1;
    CHECK(values(bench.run(request), "place")[0] == kernel.first);
    request.seed = 1;
    CHECK(values(bench.run(request), "place")[0] == kernel.second);
  }
}

TEST_CASE("in reverse order lanes that parted meet again behind both branches") {
  Bench bench;
  NEEDS_NVRTC(bench.fixture);
  RunRequest request = bench.request(R"(
// launch: grid=(2,1,1) block=(64,1,1)
// args: o=buf:i32[128]:zeros; a=buf:i32[128]:mod(7); met=buf:u32[128]:zeros
extern "C" __global__ void k(volatile int* o, const int* a, unsigned* met) {
  int i = blockIdx.x * 64 + threadIdx.x, x = a[i];
  for (int round = 0; round < x; ++round) {
    if (x % 2) o[i] = o[i] + 3;
    else o[i] = o[i] + 5;
  }
  met[i] = __activemask();
})");
  const RunResult forward = bench.run(request);
  request.seed = 1;
  const RunResult reverse = bench.run(request);
  CHECK(values(reverse, "o") == values(forward, "o"));
  CHECK(values(forward, "met") == std::vector<int32_t>(128, -1));
  CHECK(values(reverse, "met") == std::vector<int32_t>(128, -1));
  REQUIRE(forward.counters);
  REQUIRE(reverse.counters);
  CHECK(reverse.counters->thread_instructions == forward.counters->thread_instructions);
}

TEST_CASE("where the rules find the race, the order is no separate finding") {
  Bench bench;
  NEEDS_NVRTC(bench.fixture);
  RunRequest request = bench.request(R"(
// launch: grid=(4,1,1) block=(1,1,1)
// args: o=buf:i32[1]:zeros
extern "C" __global__ void k(int* o) { o[0] = blockIdx.x; }
)");
  request.schedules = 4;
  const RunResult result = bench.run(request);
  CHECK(result.status == "fault");
  CHECK(find(result, "race-global"));
  CHECK_FALSE(find(result, "schedule-dependent"));
}

TEST_CASE("whole results are the same for 1, 2 and 7 threads") {
  Bench bench;
  NEEDS_NVRTC(bench.fixture);
  const std::vector<std::string> sources = {
      tickets,
      R"(
// launch: grid=(37,1,1) block=(96,1,1)
// args: o=buf:i32[3552]:zeros; in=buf:i32[3552]:iota
extern "C" __global__ void k(int* o, const int* in) {
  __shared__ int s[96];
  int t = threadIdx.x, i = blockIdx.x * 96 + t;
  s[t] = in[i];
  if (blockIdx.x % 5 == 3) s[(t + 1) % 96] += 1;
  o[i + (blockIdx.x == 20)] = s[95 - t];
})",
      R"(
// launch: grid=(50,1,1) block=(64,1,1)
// args: bins=buf:i32[16]:zeros; a=buf:i32[3200]:mod(16)
extern "C" __global__ void k(int* bins, const int* a) { atomicAdd(&bins[a[blockIdx.x * 64 + threadIdx.x]], 1); }
)",
      R"(
// launch: grid=(40,1,1) block=(64,1,1)
// args: o=buf:i32[2560]:zeros; a=buf:i32[2500]:iota
extern "C" __global__ void k(int* o, const int* a) {
  int i = blockIdx.x * 64 + threadIdx.x;
  o[i] = a[i] / (i % 100 == 99 ? 0 : 2);
})",
      R"(
// launch: grid=(9,1,1) block=(33,1,1)
// args: o=buf:i32[300]:uninit; a=buf:f32[300]:uninit
extern "C" __global__ void k(int* o, const float* a) {
  int i = blockIdx.x * 33 + threadIdx.x;
  if (i < 290) o[i] = a[i] > 0 ? 1 : 2;
  printf("%d\n", i);
})",
  };
  for (const std::string& source : sources) {
    INFO(source);
    RunRequest request = bench.request(source);
    std::vector<std::string> seen;
    for (unsigned threads : {1u, 2u, 7u}) {
      request.threads = threads;
      seen.push_back(without_times(bench.run(request)));
    }
    CHECK(seen[1] == seen[0]);
    CHECK(seen[2] == seen[0]);
  }
}

TEST_CASE("every step of a block can be recorded") {
  Bench bench;
  NEEDS_NVRTC(bench.fixture);
  const char* const source = R"(
// launch: grid=(2,1,1) block=(64,1,1)
// args: o=buf:i32[128]:zeros; in=buf:i32[128]:iota
extern "C" __global__ void k(int* o, const int* in) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  if (t % 2) s[t] += 1;
  __syncthreads();
  o[blockIdx.x * 64 + t] = s[63 - t];
})";
  RunRequest request = bench.request(source);
  request.record_block = Dim3{1, 0, 0};
  const RunResult result = bench.run(request);
  CHECK(result.status == "ok");
  REQUIRE(result.block_recording);
  const BlockRecording& r = *result.block_recording;
  CHECK(r.complete);
  CHECK(r.block == Dim3{1, 0, 0});
  CHECK(r.warps == 2);
  CHECK(r.threads == 64);
  using Event = RecordedStep::Event;
  size_t waits = 0, releases = 0, lefts = 0, stores = 0;
  for (size_t i = 0; i < r.steps.size(); ++i) {
    const RecordedStep& step = r.steps[i];
    CHECK(step.warp < 2);
    CHECK(step.mask != 0);
    waits += step.event == Event::waits_at_barrier;
    releases += step.event == Event::released;
    lefts += step.event == Event::left;
    if (step.access < 0) continue;
    const StepAccess& access = r.accesses[size_t(step.access)];
    if (access.buffer == "s" && access.access == "write" && step.line == 7) {
      ++stores;
      CHECK(access.mask == ~0u);
      CHECK(access.space == "shared");
      CHECK(access.bytes == 4);
      CHECK(access.index[5] == int64_t(step.warp) * 32 + 5);
    }
  }
  CHECK(waits == 4);
  CHECK(releases == 4);
  CHECK(lefts == 2);
  CHECK(stores == 2);
  // A warp's own steps are numbered without a gap, and in order.
  for (uint32_t warp = 0; warp < 2; ++warp) {
    const auto own = r.of_warp(warp);
    for (uint32_t i = 0; i < own.size(); ++i) CHECK(r.steps[own[i]].number == i);
  }
  // The same again, and other orders of the two warps with the same steps of each.
  CHECK(bench.run(request).block_recording->steps.size() == r.steps.size());
  request.seed = 5;
  const RunResult shuffled = bench.run(request);
  REQUIRE(shuffled.block_recording);
  CHECK(shuffled.block_recording->of_warp(0).size() == r.of_warp(0).size());
}

TEST_CASE("a long recording is cut and says so") {
  Bench bench;
  NEEDS_NVRTC(bench.fixture);
  RunRequest request = bench.request(R"(
// launch: grid=(1,1,1) block=(32,1,1)
// args: o=buf:i32[32]:zeros; n=i32:100000
extern "C" __global__ void k(volatile int* o, int n) {
  for (int i = 0; i < n; ++i) o[threadIdx.x] = i;
})");
  request.record_block = Dim3{0, 0, 0};
  const RunResult result = bench.run(request);
  REQUIRE(result.block_recording);
  CHECK_FALSE(result.block_recording->complete);
  CHECK(result.block_recording->steps.size() == most_recorded_steps);
}
