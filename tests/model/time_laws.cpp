// Laws that the timing model must keep whatever the kernel, and curves of real GPUs that need none.
#include <fmt/format.h>

#include <cmath>

#include "catch.h"
#include "made_trace.h"
#include "model/gpu_table.h"
#include "model/time_model.h"
#include "page_part.h"

using namespace warpbook;

namespace {

const GpuTable& table() {
  static const GpuTable loaded = [] {
    auto read = load_gpu_table(Path(WARPBOOK_SOURCE_DIR) / "assets" / "gpus.json");
    REQUIRE(read.ok());
    return std::move(*read);
  }();
  return loaded;
}
GpuSpec gpu_of(const char* name) {
  auto gpu = gpu_named(table().gpus, name);
  REQUIRE(gpu.ok());
  return *gpu;
}

/// `count` blocks of `warps` warps that run FMAs: `chains` independent ones, `times` times.
KernelTrace fma_trace(uint64_t count, uint32_t warps, int chains, int times) {
  KernelTrace trace;
  for (int c = 0; c < chains; ++c)
    trace.instructions.push_back(
        made_trace::arithmetic(trace, InstructionKind::fp32, {uint16_t(c), 40}, {uint16_t(c)}));
  made_trace::run_through(trace, count, warps, times, {});
  return trace;
}

TimeQuestion question_of(const KernelTrace& trace, uint64_t grid, uint32_t block, int64_t active_blocks) {
  TimeQuestion question;
  question.launch.grid.x = uint32_t(grid);
  question.launch.block.x = block;
  question.trace = &trace;
  question.occupancy.active_blocks = active_blocks;
  return question;
}

double cycles_of(const ModelledTime& time) { return (time.us - time.launch_us) * time.clock_mhz; }

}  // namespace

TEST_CASE("Dependent FMAs take 4 cycles, two chains 2, four and eight 1 (measured on an H200)") {
  const GpuSpec gpu = gpu_of("H200 SXM");
  const struct {
    int chains;
    double measured;
  } rows[] = {{1, 4.01}, {2, 2.00}, {4, 1.01}, {8, 1.01}};
  std::string table;
  for (const auto& row : rows) {
    const KernelTrace trace = fma_trace(1, 1, row.chains, 512);
    const ReplayedTrace replayed = replay(trace, gpu, {1, 0});
    INFO(row.chains << " chains");
    const double cycles = replayed.blocks[0].latency / (512.0 * row.chains);
    CHECK(cycles == Approx(row.measured).epsilon(0.03));
    table += fmt::format("| {} | {:.2f} | {:.2f} |\n", row.chains, row.measured, cycles);
  }
  check_page_part(
      "how-time-is-modelled.md", "### One warp",
      "One warp of an H200 that multiplies and adds, with independent chains (te42kyfo, "
      "gpu-benches).\n\n| chains | cycles an instruction, measured | modelled |\n|---:|---:|---:|\n" +
          table);
}

TEST_CASE("One block more than a wave about doubles the time of one wave") {
  const GpuSpec gpu = gpu_of("A100 40 GB");
  for (const int64_t per_sm : {1, 2}) {
    const KernelTrace trace = fma_trace(4, 8, 1, 2000);
    const auto time = [&](int64_t more) {
      const auto modelled =
          model_time(gpu, question_of(trace, uint64_t(gpu.sms * per_sm + more), 256, per_sm));
      REQUIRE(modelled.ok());
      return cycles_of(*modelled);
    };
    INFO(per_sm << " blocks an SM");
    CHECK(time(1) / time(0) > 1.6);
    CHECK(time(1) / time(0) < 2.05);
    CHECK(time(-1) / time(0) == Approx(1).epsilon(0.01));
  }
}

TEST_CASE("Blocks of 1 to 32 threads halve the time with each doubling") {
  const GpuSpec gpu = gpu_of("A100 40 GB");
  double before = 0;
  for (const uint32_t block : {1u, 2u, 4u, 8u, 16u, 32u}) {
    const KernelTrace trace = fma_trace(16, 1, 2, 500);
    const auto modelled = model_time(gpu, question_of(trace, 262144 / block, block, 32));
    REQUIRE(modelled.ok());
    if (before > 0) CHECK(before / cycles_of(*modelled) == Approx(2).epsilon(0.1));
    before = cycles_of(*modelled);
  }
}

TEST_CASE("A tiny grid takes the time of a launch, and says so") {
  const GpuSpec gpu = gpu_of("H200 SXM");
  const KernelTrace trace = fma_trace(1, 1, 1, 4);
  const auto modelled = model_time(gpu, question_of(trace, 1, 32, 16));
  REQUIRE(modelled.ok());
  CHECK(modelled->us >= gpu.launch_us);
  CHECK(modelled->us < gpu.launch_us + 1);
  CHECK(modelled->dominating == "launch");
  CHECK(modelled->low_us < modelled->us);
  CHECK(modelled->high_us > modelled->us);
}

TEST_CASE("A time needs a chip, a trace and a block that fits") {
  const KernelTrace trace = fma_trace(1, 1, 1, 4);
  CHECK_FALSE(model_time(table().capabilities[0], question_of(trace, 1, 32, 16)).ok());
  CHECK_FALSE(model_time(gpu_of("T4"), question_of(trace, 1, 32, 0)).ok());
  KernelTrace empty;
  CHECK_FALSE(model_time(gpu_of("T4"), question_of(empty, 1, 32, 1)).ok());
}

TEST_CASE("Terms name the resource that is busiest") {
  const GpuSpec gpu = gpu_of("A100 40 GB");
  const KernelTrace trace = fma_trace(16, 8, 8, 2000);
  const auto modelled = model_time(gpu, question_of(trace, 100000, 256, 8));
  REQUIRE(modelled.ok());
  CHECK(modelled->dominating == "alu");
  CHECK(modelled->terms.front().name == "alu");
  CHECK(modelled->formula.find("MHz") != std::string::npos);
  CHECK(modelled->flop == 0);
  // 16,000 FMAs a warp, 8 warps a block, 64 lanes: 64,000 cycles a block.
  CHECK(modelled->terms.front().cycles == Approx(64000.0 * 100000 / gpu.sms).epsilon(0.01));
}

// gpu-benches "stream": kernel scale on doubles, two blocks an SM, GB/s by occupancy. Parts that ship no row
// have the figures of the same data set.
namespace {

struct StreamPart {
  const char* name;
  const char* like;  ///< row whose SM it has
  int sms;
  double mhz, dram_gb_s, copy_share, l2_gb_s, dram_latency, block_latency;
  int max_threads;
  std::vector<std::pair<double, double>> measured;  ///< occupancy in percent, GB/s
};

double stream_bandwidth(const StreamPart& part, double occupancy) {
  GpuSpec gpu = gpu_of(part.like);
  gpu.sms = part.sms;
  gpu.boost_mhz = part.mhz;
  gpu.dram_gb_s = part.dram_gb_s;
  gpu.dram_copy_share = part.copy_share;
  gpu.l2_gb_s = part.l2_gb_s;
  gpu.dram_latency = part.dram_latency;
  gpu.block_latency = part.block_latency;
  gpu.launch_us = 0;
  const auto threads = uint32_t(std::lround(occupancy / 100 * part.max_threads / 2 / 32)) * 32;
  KernelTrace trace;
  trace.instructions.push_back(made_trace::arithmetic(trace, InstructionKind::int32, {5}, {1}));
  trace.instructions.push_back(
      made_trace::memory(trace, InstructionKind::load, TracedSpace::global, 8, 1, 0, {1}, {2}));
  trace.instructions.push_back(made_trace::arithmetic(trace, InstructionKind::fp64, {2}, {3}));
  trace.instructions.push_back(
      made_trace::memory(trace, InstructionKind::store, TracedSpace::global, 8, 1, 0, {1, 3}, {}));
  made_trace::run_through(trace, 16, threads / 32, 1,
                          [&](uint64_t b, uint32_t w, int, uint32_t i, uint64_t* addresses) {
                            const uint64_t base = i == 1 ? 0x10000000ull : 0x90000000ull;
                            for (uint64_t lane = 0; lane < 32; ++lane)
                              addresses[lane] = base + (b * threads + w * 32 + lane) * 8;
                          });
  const uint64_t grid = uint64_t(part.sms) * 2 * 200;
  trace.grid_blocks = grid;
  trace.complete = false;
  TimeQuestion question = question_of(trace, grid, threads, 2);
  question.footprint_bytes = double(grid) * threads * 16 + 1e9;
  const auto modelled = model_time(gpu, question);
  REQUIRE(modelled.ok());
  return double(grid) * threads * 16 / modelled->us / 1000;
}

}  // namespace

TEST_CASE("Stream bandwidth over occupancy lies within 15 % on average on six GPUs") {
  const std::vector<StreamPart> parts = {
      {"V100",
       "A100 40 GB",
       80,
       1530,
       900,
       0.89,
       2440,
       434,
       369,
       2048,
       {{3.125, 128}, {6.25, 244}, {12.5, 423}, {25, 673}, {46.9, 780}, {71.9, 797}, {96.9, 804}}},
      {"A100 80",
       "A100 80 GB SXM",
       108,
       1410,
       2039,
       0.85,
       5400,
       570,
       456,
       2048,
       {{3.125, 157}, {6.25, 305}, {12.5, 581}, {25, 1026}, {46.9, 1521}, {71.9, 1656}, {96.9, 1707}}},
      {"H100 PCIe",
       "H100 SXM5",
       114,
       1755,
       2039,
       0.84,
       7000,
       655,
       449,
       2048,
       {{3.125, 183}, {6.25, 341}, {12.5, 607}, {25, 1037}, {46.9, 1544}, {71.9, 1651}, {96.9, 1693}}},
      {"H200",
       "H200 SXM",
       132,
       1980,
       4800,
       0.81,
       9800,
       690,
       451,
       2048,
       {{3.125, 240}, {6.25, 463}, {12.5, 852}, {25, 1395}, {46.9, 2157}, {71.9, 2780}, {96.9, 3139}}},
      {"A40",
       "RTX 3090",
       84,
       1740,
       696,
       0.95,
       2410,
       540,
       372,
       1536,
       {{4.17, 154}, {16.7, 514}, {33.3, 643}, {62.5, 655}}},
      {"L40", "RTX 4090", 142, 2490, 864, 0.94, 5200, 632, 562, 1536, {{4.17, 298}, {16.7, 772}, {25, 816}}},
  };
  std::string table;
  for (const StreamPart& part : parts) {
    double sum = 0;
    std::string rows;
    for (const auto& [occupancy, measured] : part.measured) {
      const double modelled = stream_bandwidth(part, occupancy);
      sum += std::fabs(modelled / measured - 1);
      rows += std::to_string(occupancy) + " %: " + std::to_string(modelled) + " of " +
              std::to_string(measured) + "\n";
    }
    INFO(part.name << "\n" << rows);
    CHECK(sum / double(part.measured.size()) <= 0.15);
    table += fmt::format("| {} | {} | {:.0f} % |\n", part.name, part.measured.size(),
                         100 * sum / double(part.measured.size()));
  }
  check_page_part("how-time-is-modelled.md", "### Streams",
                  "A kernel that scales doubles, two blocks an SM, at several occupancies (gpu-benches).\n\n"
                  "| GPU | occupancies | mean error of the bandwidth |\n|---|---:|---:|\n" +
                      table);
}

TEST_CASE("The exponent of the norm is what the two limits say") {
  ResourceCycles busy{};
  CHECK(combined(busy, 100) == Approx(100));
  busy[0] = 100;
  CHECK(combined(busy, 100) == Approx(100 * std::pow(2, 1 / 2.5)));
  CHECK(combined(busy, 0) == Approx(100));
}
