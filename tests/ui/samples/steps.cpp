// Samples of the view of a whole block: four warps, one branch, one barrier, and a race behind it.
#include "ui/view_sample.h"

namespace warpbook::ui {

namespace {

using Event = RecordedStep::Event;

struct Maker {
  BlockRecording recording;
  std::vector<uint32_t> made;

  void step(uint32_t warp, int line, uint32_t mask, Event event = Event::ran, int32_t access = -1) {
    RecordedStep one;
    one.warp = warp;
    one.number = made[warp]++;
    one.line = line;
    one.mask = mask;
    one.live = event == Event::left ? 0 : ~0u;
    one.event = event;
    one.access = access;
    recording.steps.push_back(one);
  }
  int32_t access(const char* kind, uint32_t mask, int64_t first) {
    StepAccess one;
    one.buffer = "s";
    one.space = "shared";
    one.access = kind;
    one.mask = mask;
    one.bytes = 4;
    for (int lane = 0; lane < 32; ++lane) one.index[size_t(lane)] = first + lane;
    recording.accesses.push_back(one);
    return int32_t(recording.accesses.size() - 1);
  }
};

}  // namespace

void fill_block_steps(SampleRun& run) {
  Maker maker;
  maker.recording.block = {1, 0, 0};
  maker.recording.warps = 4;
  maker.recording.threads = 128;
  maker.made.assign(4, 0);
  for (uint32_t warp = 0; warp < 4; ++warp) {
    for (int line = 5; line < 8; ++line) maker.step(warp, line, ~0u);
    maker.step(warp, 8, 0x0000ffffu);  // a branch that half of the lanes take
    maker.step(warp, 9, ~0u, Event::ran, maker.access("write", ~0u, warp * 32));
    maker.step(warp, 10, ~0u, Event::waits_at_barrier);
  }
  for (uint32_t warp = 0; warp < 4; ++warp) maker.step(warp, 10, ~0u, Event::released);
  for (uint32_t warp = 0; warp < 3; ++warp) {
    maker.step(warp, 11, ~0u, Event::ran, maker.access("read", ~0u, warp * 32 + 1));
    maker.step(warp, 12, ~0u, Event::ran, maker.access("write", ~0u, warp * 32));
    if (warp < 2) maker.step(warp, 13, ~0u, Event::left);
  }
  run.block_recording = maker.recording;
  run.launch.grid = {2, 1, 1};
  run.launch.block = {128, 1, 1};
  Diagnosis found;
  found.kind = "race-shared";
  found.access = "read";
  found.buffer = "s";
  found.index = 64;
  found.line = 11;
  found.block = Dim3{1, 0, 0};
  found.thread = Dim3{63, 0, 0};
  Diagnosis::Other other;
  other.line = 12;
  other.access = "write";
  other.block = Dim3{1, 0, 0};
  other.thread = Dim3{64, 0, 0};
  found.other = other;
  run.opened = found;
  run.source = "\n\n\n\n\n\n\n\n\n\n  const int next = s[t + 1];\n  s[t] = next;\n";
}

}  // namespace warpbook::ui
