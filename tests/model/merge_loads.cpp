#include "model/merge_loads.h"

#include "catch.h"
#include "made_trace.h"
#include "model/gpu_table.h"
#include "model/replay.h"

using namespace warpbook;
using Role = MergedAccess::Role;

namespace {

KernelTrace loads(std::vector<int64_t> offsets, TracedSpace space = TracedSpace::shared) {
  KernelTrace trace;
  uint16_t target = 10;
  for (const int64_t offset : offsets)
    trace.instructions.push_back(
        made_trace::memory(trace, InstructionKind::load, space, 4, 1, offset, {1}, {target++}));
  trace.basic_blocks = {{0, uint32_t(trace.instructions.size())}};
  return trace;
}

}  // namespace

TEST_CASE("Four neighbouring loads become one of 16 bytes, two one of 8") {
  const auto four = merge_neighbours(loads({0, 4, 8, 12}));
  CHECK(four[0].role == Role::leader);
  CHECK(four[0].bytes == 16);
  for (size_t i = 1; i < 4; ++i) CHECK(four[i].role == Role::follower);
  const auto two = merge_neighbours(loads({8, 12, 100}));
  CHECK(two[0].bytes == 8);
  CHECK(two[2].role == Role::alone);
  const auto turned = merge_neighbours(loads({12, 0, 8, 4}));
  CHECK(turned[0].role == Role::leader);
  CHECK(turned[0].first_offset == -12);
}

TEST_CASE("Loads that are no neighbours, or not aligned, stay apart") {
  for (const MergedAccess& one : merge_neighbours(loads({0, 4, 8, 12}, TracedSpace::global)))
    CHECK(one.role == Role::alone);
  for (const auto& offsets : {std::vector<int64_t>{4, 8}, {0, 8}, {0, 128, 256}})
    for (const MergedAccess& one : merge_neighbours(loads(offsets))) CHECK(one.role == Role::alone);
}

TEST_CASE("A store to the same memory, a barrier or a new base keeps loads apart") {
  for (const int kind : {0, 1, 2}) {
    KernelTrace trace = loads({0});
    if (kind == 0)
      trace.instructions.push_back(
          made_trace::memory(trace, InstructionKind::store, TracedSpace::shared, 4, 2, 0, {2}, {}));
    if (kind == 1)
      trace.instructions.push_back(made_trace::arithmetic(trace, InstructionKind::barrier, {}, {}));
    if (kind == 2)
      trace.instructions.push_back(made_trace::arithmetic(trace, InstructionKind::int32, {1}, {1}));
    trace.instructions.push_back(
        made_trace::memory(trace, InstructionKind::load, TracedSpace::shared, 4, 1, 4, {1}, {20}));
    trace.basic_blocks = {{0, 3}};
    INFO(kind);
    CHECK(merge_neighbours(trace)[2].role == Role::alone);
  }
}

TEST_CASE("The replay merges where addresses are aligned, and only there") {
  const auto table = load_gpu_table(Path(WARPBOOK_SOURCE_DIR) / "assets" / "gpus.json");
  REQUIRE(table.ok());
  const GpuSpec gpu = *gpu_named(table->gpus, "A100 40 GB");
  for (const uint64_t base : {0x1000, 0x1004}) {
    KernelTrace trace = loads({0, 4, 8, 12});
    made_trace::run_through(trace, 1, 1, 1, [&](uint64_t, uint32_t, int, uint32_t i, uint64_t* addresses) {
      for (uint64_t lane = 0; lane < 32; ++lane)
        addresses[lane] = traced_shared_begin + base + lane * 16 + i * 4;
    });
    const ReplayedTrace replayed = replay(trace, gpu, {1, 0});
    CHECK(replayed.merged == (base % 16 == 0 ? 3 : 0));
    CHECK(replayed.shared_passes == (base % 16 == 0 ? 4 : 16));
  }
}
