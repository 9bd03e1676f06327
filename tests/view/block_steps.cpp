// Where the warps of a recorded block stand at a step, and which step a diagnosis speaks of.
#include "view/block_steps.h"

#include "catch.h"

using namespace warpbook;
using namespace warpbook::view;

namespace {

using Event = RecordedStep::Event;

/// A block of 48 threads: a full warp and half a one.
struct Block {
  BlockRecording recording;
  Block() {
    recording.block = {3, 0, 0};
    recording.warps = 2;
    recording.threads = 48;
  }
  Block& step(uint32_t warp, int line, uint32_t mask, Event event = Event::ran, uint32_t live = ~0u) {
    RecordedStep one;
    one.warp = warp;
    one.line = line;
    one.mask = mask;
    one.event = event;
    one.live = warp == 1 ? live & 0xffffu : live;
    recording.steps.push_back(one);
    return *this;
  }
  Block& access(const char* kind, const char* buffer, int64_t first) {
    StepAccess made;
    made.buffer = buffer;
    made.space = "shared";
    made.access = kind;
    made.mask = recording.steps.back().mask;
    made.bytes = 4;
    for (int lane = 0; lane < 32; ++lane) made.index[size_t(lane)] = first + lane;
    recording.steps.back().access = int32_t(recording.accesses.size());
    recording.accesses.push_back(made);
    return *this;
  }
};

Diagnosis race(int line, uint32_t thread, int other_line, uint32_t other_thread, int64_t index) {
  Diagnosis d;
  d.kind = "race-shared";
  d.access = "read";
  d.buffer = "s";
  d.index = index;
  d.line = line;
  d.block = Dim3{3, 0, 0};
  d.thread = Dim3{thread, 0, 0};
  d.other = Diagnosis::Other{other_line, "write", Dim3{3, 0, 0}, Dim3{other_thread, 0, 0}};
  return d;
}

}  // namespace

TEST_CASE("a short last warp has the lanes of its threads only") {
  Block block;
  CHECK(lanes_of_warp(block.recording, 0) == ~0u);
  CHECK(lanes_of_warp(block.recording, 1) == 0xffffu);
  CHECK(lanes_of_warp(block.recording, 2) == 0);
  CHECK(warps_after(block.recording, 0)[1].live == 0xffffu);
}

TEST_CASE("lanes wait at a barrier until it lets them go, and leave for good") {
  Block block;
  block.step(0, 4, ~0u)
      .step(0, 5, ~0u, Event::waits_at_barrier)
      .step(1, 4, 0x00ffu)
      .step(1, 5, 0xffffu, Event::waits_at_barrier)
      .step(0, 5, ~0u, Event::released)
      .step(0, 6, ~0u, Event::left, 0);
  auto warps = warps_after(block.recording, 0);
  CHECK(warps[0].now);
  CHECK_FALSE(warps[1].begun);
  CHECK(warp_words(warps[1]) == "not begun");
  warps = warps_after(block.recording, 2);
  CHECK(warps[0].at_barrier == ~0u);
  CHECK(warp_words(warps[0]) == "waits, line 5");
  CHECK_FALSE(warps[0].now);
  CHECK(warps[1].ran == 0x00ffu);
  CHECK(warp_words(warps[1]) == "line 4");
  warps = warps_after(block.recording, 5);
  CHECK(warps[0].live == 0);
  CHECK(warp_words(warps[0]) == "has left");
  CHECK(warps[1].at_barrier == 0xffffu);
}

TEST_CASE("a diagnosis is found at the step of its thread, line and cell") {
  Block block;
  block.step(0, 7, ~0u).access("read", "s", 0);  // the line, but another round of the loop
  block.step(1, 7, 0xffffu).access("read", "s", 64);
  block.step(0, 7, ~0u).access("read", "s", 40);  // lane 5 reads s[45]
  block.step(1, 8, 0xffffu).access("write", "s", 32);
  const MomentOf found = moment_of(block.recording, {48, 1, 1}, race(7, 5, 8, 32 + 13, 45));
  REQUIRE(found.one);
  CHECK(found.one->step == 2);
  CHECK(found.one->exact);
  REQUIRE(found.other);
  CHECK(found.other->step == 3);
  CHECK(found.other->exact);
}

TEST_CASE("another block's side of a race is not looked for in this one") {
  Block block;
  block.step(0, 7, ~0u).access("read", "s", 0);
  Diagnosis d = race(7, 5, 8, 3, 5);
  d.other->block = Dim3{4, 0, 0};
  const MomentOf found = moment_of(block.recording, {48, 1, 1}, d);
  CHECK(found.one);
  CHECK_FALSE(found.other);
}

TEST_CASE("a line that the optimised code has no step of gives the one before it, and says so") {
  Block block;
  block.step(0, 4, ~0u).step(0, 6, ~0u).step(0, 9, ~0u).step(1, 7, 0xffffu);
  const auto found = find_step(block.recording, {48, 1, 1}, {{2, 0, 0}, 7, "read", "x", std::nullopt});
  REQUIRE(found);
  CHECK(found->step == 1);
  CHECK_FALSE(found->exact);
}

TEST_CASE("a wait is found where it ends, in the last round that came to it") {
  Block block;
  block.step(0, 5, ~0u, Event::waits_at_barrier)
      .step(0, 5, ~0u, Event::released)
      .step(0, 5, 0xffu, Event::waits_at_barrier)
      .step(0, 9, ~0xffu, Event::left, 0xffu);
  const auto found = find_step(block.recording, {48, 1, 1}, {{2, 0, 0}, 5, "barrier", "", std::nullopt});
  REQUIRE(found);
  CHECK(found->step == 2);
  const auto gone = find_step(block.recording, {48, 1, 1}, {{20, 0, 0}, 9, "exit", "", std::nullopt});
  REQUIRE(gone);
  CHECK(gone->step == 3);
}

TEST_CASE("a step is told in a sentence") {
  Block block;
  block.step(0, 9, 0xffffu).access("write", "s", 0);
  block.step(1, 5, 0xffffu, Event::waits_at_barrier).step(0, 6, 1u << 4, Event::left, 0xfu);
  CHECK(step_words(block.recording, 0) == "Step 1 of 3: warp 0, line 9, 16 of 32 lanes write s[0] to s[15]");
  CHECK(step_words(block.recording, 1) ==
        "Step 2 of 3: warp 1, line 5, all 16 lanes come to the barrier and wait");
  CHECK(step_words(block.recording, 2) == "Step 3 of 3: warp 0, line 6, lane 4 leaves the kernel");
  CHECK(step_words(block.recording, 3).empty());
}
