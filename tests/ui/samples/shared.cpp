// Samples of the views of shared memory: what one warp did to arrays of its block.
#include "ui/view_sample.h"

namespace warpbook::ui {

namespace {

/// An access of the first `lanes` lanes; `index_of` gives each its element.
template <class IndexOf>
void add(Recording& recording, const char* space, const char* access, const char* buffer, int line, int lanes,
         IndexOf index_of) {
  RecordedAccess one;
  one.step = uint32_t(recording.accesses.size());
  one.line = line;
  one.space = space;
  one.access = access;
  one.buffer = buffer;
  one.mask = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
  one.bytes = 4;
  for (int lane = 0; lane < lanes; ++lane) one.index[size_t(lane)] = index_of(lane);
  recording.accesses.push_back(one);
}

}  // namespace

void fill_halo_tile(SampleRun& run) {
  // Blocks of 32 threads, radius 4: 40 cells, filled in two rounds, then read shifted by 2.
  Recording recording;
  recording.block = {1, 0, 0};
  for (int round = 0; round < 2; ++round) {
    const int lanes = round == 0 ? 32 : 8;
    add(recording, "global", "read", "in", 9, lanes, [=](int lane) { return 32 + round * 32 + lane; });
    add(recording, "shared", "write", "tile", 9, lanes, [=](int lane) { return round * 32 + lane; });
  }
  for (int k = 0; k < 9; ++k)
    add(recording, "shared", "read", "tile", 15, 32, [k](int lane) { return lane + k; });
  run.recording = recording;
  run.launch.grid = {32, 1, 1};
  run.launch.block = {32, 1, 1};
  run.options = {{"tile", "\"tile\""}, {"from", "\"in\""}, {"cells", "40"}, {"halo", "4"}};
  run.state_numbers = {{"step", 4}};
  run.selection.element = {"in", 40};
}

void fill_race_line(SampleRun& run) {
  Diagnosis found;
  found.kind = "race-shared";
  found.access = "read";
  found.buffer = "s";
  found.index = 31;
  found.line = 11;
  found.block = Dim3{0, 0, 0};
  found.thread = Dim3{32, 0, 0};
  Diagnosis::Other other;
  other.line = 12;
  other.access = "write";
  other.block = Dim3{0, 0, 0};
  other.thread = Dim3{31, 0, 0};
  found.other = other;
  run.diagnostics = {found};
  run.launch.grid = {2, 1, 1};
  run.launch.block = {128, 1, 1};
  run.state_numbers = {{"step", 2}};
}

void fill_reduction_tree(SampleRun& run) {
  // Warp 0 of 64 threads: the other warp's half first, then halves of its own.
  Recording recording;
  recording.block = {0, 0, 0};
  add(recording, "shared", "write", "s", 9, 32, [](int lane) { return lane; });
  for (int half = 32; half > 0; half /= 2) {
    const int lanes = half;
    add(recording, "shared", "read", "s", 13, lanes, [=](int lane) { return lane + half; });
    add(recording, "shared", "read", "s", 13, lanes, [](int lane) { return lane; });
    add(recording, "shared", "write", "s", 13, lanes, [](int lane) { return lane; });
  }
  run.recording = recording;
  run.launch.grid = {2, 1, 1};
  run.launch.block = {64, 1, 1};
  run.options = {{"tile", "\"s\""}};
  run.state_numbers = {{"step", 4}};
  run.selection.thread = 1;
}

void fill_bank_grid(SampleRun& run) {
  // A column of a tile of 32 by 12 words: every fourth bank is asked for several.
  Recording recording;
  recording.block = {0, 0, 0};
  add(recording, "shared", "read", "tile", 12, 32, [](int lane) { return lane * 12; });
  run.recording = recording;
  run.launch.grid = {1, 1, 1};
  run.launch.block = {32, 1, 1};
  run.options = {{"tile", "\"tile\""}};
  run.state_numbers = {{"step", 0}};
  run.selection.thread = 9;
}

}  // namespace warpbook::ui
