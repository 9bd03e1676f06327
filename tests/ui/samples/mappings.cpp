// Samples of the views that show which thread touched what.
#include "ui/view_sample.h"

namespace warpbook::ui {

void fill_thread_map(SampleRun& run) {
  // 200 elements, 7 blocks of 32: a kernel without a guard whose fourth block writes where the third did.
  run.launch = {{7, 1, 1}, {32, 1, 1}};
  WriteMap map;
  map.buffer = "out";
  map.times.assign(200, 0);
  map.writer.assign(200, -1);
  for (int64_t thread = 0; thread < 224; ++thread) {
    const int64_t index = thread >= 96 && thread < 128 ? thread - 32 : thread;
    if (index >= 200) {
      map.out_of_range.push_back({thread, index});
    } else {
      ++map.times[size_t(index)];
      map.writer[size_t(index)] = thread;
    }
  }
  run.write_maps = {map};
  run.options = {{"buffer", "\"out\""}};
  run.selection.thread = 40;
  run.selection.element = {"out", 40};
}

void fill_active_mask(SampleRun& run) {
  // A loop in which lane i goes round i / 2 + 1 times, and a store behind it; the block has 28 threads.
  run.launch = {{1, 1, 1}, {28, 1, 1}};
  Recording recording;
  recording.block = {0, 0, 0};
  const auto access = [&recording](const char* buffer, const char* kind, int line, uint32_t mask) {
    RecordedAccess one;
    one.line = line;
    one.buffer = buffer;
    one.space = "global";
    one.access = kind;
    one.mask = mask;
    one.bytes = 4;
    for (int lane = 0; lane < 28; ++lane) one.index[size_t(lane)] = lane;
    recording.accesses.push_back(one);
  };
  const uint32_t all = (1u << 28) - 1;
  for (int round = 0; round < 14; ++round) access("next", "read", 8, all & ~((1u << (2 * round)) - 1));
  access("out", "write", 10, all);
  run.recording = recording;
  run.state_numbers = {{"step", 5}};
  run.selection.thread = 12;
}

void fill_sector_map(SampleRun& run) {
  // The first warp of blocks of 64 threads reads every third element from the fifth on; lanes 28 to 31 wait.
  run.launch = {{2, 1, 1}, {64, 1, 1}};
  run.outputs = {sample_output("in", ElementType::f32, sample_noise(200, 3))};
  Recording recording;
  recording.block = {0, 0, 0};
  RecordedAccess one;
  one.line = 5;
  one.buffer = "in";
  one.space = "global";
  one.access = "read";
  one.mask = 0x0fffffffu;
  one.bytes = 4;
  for (int lane = 0; lane < 28; ++lane) one.index[size_t(lane)] = 5 + 3 * lane;
  recording.accesses = {one};
  run.recording = recording;
  run.selection.thread = 9;
}

void fill_tile_walk(SampleRun& run) {
  // Warp 0 of a 16 x 16 block on 32 x 32 matrices: two rows of the tile at a time.
  Recording recording;
  recording.block = {0, 0, 0};
  const auto access = [&recording](const char* buffer, const char* kind, int line, auto index_of_lane) {
    RecordedAccess one;
    one.step = uint32_t(recording.accesses.size());
    one.line = line;
    one.buffer = buffer;
    one.space = "global";
    one.access = kind;
    one.mask = 0xffffffffu;
    one.bytes = 4;
    for (int lane = 0; lane < 32; ++lane) one.index[size_t(lane)] = index_of_lane(lane % 16, lane / 16);
    recording.accesses.push_back(one);
  };
  for (int tile = 0; tile < 2; ++tile) {
    access("a", "read", 9, [tile](int x, int y) { return y * 32 + tile * 16 + x; });
    access("b", "read", 10, [tile](int x, int y) { return (tile * 16 + y) * 32 + x; });
  }
  access("c", "write", 16, [](int x, int y) { return y * 32 + x; });
  run.recording = recording;
  run.options = {{"a", "\"a\""}, {"b", "\"b\""}, {"c", "\"c\""}, {"n", "32"}};
  run.state_numbers = {{"step", 3}};
}

}  // namespace warpbook::ui
