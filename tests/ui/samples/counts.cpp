// Samples of the views that show counters and times.
#include "ui/view_sample.h"

namespace warpbook::ui {

void fill_lines(SampleRun& run) {
  run.source =
      "// Each thread sums a row of the table.\n"
      "extern \"C\" __global__ void sum_rows(const float* table, float* sums, int n)\n"
      "{\n"
      "    int row = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "    if (row >= n) return;\n"
      "    float sum = 0;\n"
      "    for (int i = 0; i < n; ++i)\n"
      "        sum += table[row * n + i];\n"
      "    sums[row] = sum;\n"
      "}\n";
  const auto line = [&run](int number, uint64_t warps, uint64_t threads) -> LineCounters& {
    LineCounters counters;
    counters.line = number;
    counters.warp_instructions = warps;
    counters.thread_instructions = threads;
    run.lines.push_back(counters);
    return run.lines.back();
  };
  line(4, 128, 4096);
  line(5, 64, 2048);
  line(7, 6200, 194000);
  LineCounters& load = line(8, 9300, 291000);
  load.global.requests = 3100;
  load.global.sectors = 97000;
  LineCounters& store = line(9, 62, 1940);
  store.global.requests = 31;
  store.global.sectors = 124;
  run.selection.line = 8;
}

void fill_numbers(SampleRun& run) {
  Counters now, before;
  now.threads = 4096;
  now.blocks = 16;
  now.warps = 128;
  now.warp_instructions = 1234567;
  now.thread_instructions = 30000000;
  now.global_load.requests = 4000;
  now.global_load.sectors = 16000;
  before = now;
  before.global_load.sectors = 128000;
  before.warp_instructions = 1200000;
  run.counters = now;
  run.previous_counters = before;
  run.values = {{"n", 4000}};
  run.options = {{"show",
                  "[\"threads\", \"blocks\", \"idle_threads\", \"warp_instructions\", \"active_lane_share\", "
                  "\"global_load_sectors_per_request\"]"}};
}

void fill_time_bar(SampleRun& run) {
  Times first, now;
  first.compile_ms = 412;
  first.load_ms = 3.5;
  first.copy_in_ms = 0.8;
  first.emulator_ms = 61;
  first.copy_out_ms = 1.2;
  now = first;
  now.compile_ms = 0.4;
  now.cached = true;
  now.emulator_ms = 58.3;
  now.draw_ms = 2.1;
  run.first_times = first;
  run.times = now;
}

void fill_crossover(SampleRun& run) {
  // 4000 elements, 15 instructions each, one number in and one out; four cores against an A100.
  run.launch = {{32, 1, 1}, {128, 1, 1}};
  run.counters.emplace();
  run.counters->thread_instructions = 60000;
  run.counters->global_load.bytes = run.counters->global_store.bytes = 16000;
  run.options = {{"elements", "4000"}, {"cpu_cores", "4"}};
  run.values["n"] = 3000;
}

void fill_warp_lanes(SampleRun& run) {
  run.launch = {{8, 45, 1}, {32, 4, 1}};
  for (uint64_t block = 0; block < 360; ++block) {
    for (uint32_t warp = 0; warp < 4; ++warp) {
      const uint64_t column = block % 8, row = block / 8 * 4 + warp;
      const uint64_t lanes = 4 + (column * 5 + row / 6) % 29;
      run.warps.push_back({block, warp, 200, 200 * lanes});
    }
  }
  run.mouse = {0.3f, 0.5f};
}

}  // namespace warpbook::ui
