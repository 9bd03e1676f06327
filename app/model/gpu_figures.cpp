// The table of figures. A new one is a row here, a member of GpuSpec and its values in assets/gpus.json.
#include "model/gpu_figures.h"

#include <type_traits>

namespace warpbook {

namespace {

using Need = GpuFigureRule::Need;
constexpr double kib = 1024;

template <auto Member>
void keep(GpuSpec& row, double value) {
  row.*Member = static_cast<std::remove_reference_t<decltype(row.*Member)>>(value);
}
template <auto Member>
void keep_kib(GpuSpec& row, double value) {
  row.*Member = static_cast<std::remove_reference_t<decltype(row.*Member)>>(value * kib);
}
/// Only shown: nothing is computed from it.
void shown(GpuSpec&, double) {}

template <auto Member>
GpuFigureRule whole(std::string_view name, std::string_view unit, double min, double max,
                    Need need = Need::always) {
  return {name, unit, min, max, need, true, false, keep<Member>};
}
template <auto Member>
GpuFigureRule size(std::string_view name, double min, double max) {
  return {name, "KiB", min, max, Need::always, true, false, keep_kib<Member>};
}
template <auto Member>
GpuFigureRule real(std::string_view name, std::string_view unit, double min, double max,
                   Need need = Need::always) {
  return {name, unit, min, max, need, false, false, keep<Member>};
}

}  // namespace

const std::vector<GpuFigureRule>& gpu_figure_rules() {
  constexpr auto gpu = Need::of_a_gpu;
  static const std::vector<GpuFigureRule> table = {
      whole<&GpuSpec::max_threads_per_block>("max_threads_per_block", "threads", 1, 4096),
      whole<&GpuSpec::max_block_x>("max_block_x", "threads", 1, 4096),
      whole<&GpuSpec::max_block_y>("max_block_y", "threads", 1, 4096),
      whole<&GpuSpec::max_block_z>("max_block_z", "threads", 1, 4096),
      whole<&GpuSpec::max_grid_x>("max_grid_x", "blocks", 1, 4294967295.0),
      whole<&GpuSpec::max_grid_y>("max_grid_y", "blocks", 1, 4294967295.0),
      whole<&GpuSpec::max_grid_z>("max_grid_z", "blocks", 1, 4294967295.0),
      whole<&GpuSpec::max_warps_per_sm>("max_warps_per_sm", "warps", 1, 256),
      whole<&GpuSpec::max_blocks_per_sm>("max_blocks_per_sm", "blocks", 1, 256),
      whole<&GpuSpec::registers_per_sm>("registers_per_sm", "registers", 1, 1 << 24),
      whole<&GpuSpec::register_unit>("register_unit", "registers", 1, 4096),
      whole<&GpuSpec::max_registers_per_thread>("max_registers_per_thread", "registers", 1, 1024),
      whole<&GpuSpec::barriers_per_sm>("barriers_per_sm", "barriers", 0, 1024),
      size<&GpuSpec::unified_bytes>("unified_kib", 1, 4096),
      size<&GpuSpec::shared_per_sm>("shared_per_sm_kib", 1, 4096),
      size<&GpuSpec::shared_per_block>("shared_per_block_kib", 1, 4096),
      size<&GpuSpec::shared_per_block_optin>("shared_per_block_optin_kib", 1, 4096),
      whole<&GpuSpec::shared_reserved>("shared_reserved_bytes", "B", 0, 65536),
      whole<&GpuSpec::shared_unit>("shared_unit_bytes", "B", 1, 65536),
      {"carveouts_kib", "KiB", 0, 4096, Need::always, true, true,
       [](GpuSpec& row, double value) { row.carveouts.push_back(uint32_t(value * kib)); }},
      real<&GpuSpec::fp32_lanes>("fp32_lanes", "1/cycle", 1, 4096),
      real<&GpuSpec::int32_lanes>("int32_lanes", "1/cycle", 1, 4096),
      real<&GpuSpec::imul_lanes>("imul_lanes", "1/cycle", 1, 4096),
      real<&GpuSpec::sfu_lanes>("sfu_lanes", "1/cycle", 1, 4096),
      real<&GpuSpec::fp64_lanes>("fp64_lanes", "1/cycle", 1, 4096),
      real<&GpuSpec::fp16x2_lanes>("fp16x2_lanes", "1/cycle", 1, 4096),
      real<&GpuSpec::alu_lanes>("alu_lanes", "1/cycle", 1, 4096),
      real<&GpuSpec::shuffle_lanes>("shuffle_lanes", "1/cycle", 1, 4096),
      real<&GpuSpec::convert_lanes>("convert_lanes", "1/cycle", 1, 4096),
      real<&GpuSpec::schedulers>("schedulers", "1/cycle", 1, 64),
      real<&GpuSpec::l1_bytes_per_clock>("l1_bytes_per_clock", "B/cycle", 1, 4096),
      real<&GpuSpec::shared_bytes_per_clock>("shared_bytes_per_clock", "B/cycle", 1, 4096),
      real<&GpuSpec::alu_latency>("alu_latency", "cycles", 1, 1000),
      real<&GpuSpec::imul_latency>("imul_latency", "cycles", 1, 1000),
      real<&GpuSpec::sfu_latency>("sfu_latency", "cycles", 1, 1000),
      real<&GpuSpec::fp64_latency>("fp64_latency", "cycles", 1, 1000),
      real<&GpuSpec::convert_latency>("convert_latency", "cycles", 1, 1000),
      real<&GpuSpec::shuffle_latency>("shuffle_latency", "cycles", 1, 1000),
      real<&GpuSpec::barrier_latency>("barrier_latency", "cycles", 1, 1000),
      real<&GpuSpec::shared_latency>("shared_latency", "cycles", 1, 1000),
      real<&GpuSpec::l1_latency>("l1_latency", "cycles", 1, 1000),
      whole<&GpuSpec::sms>("sms", "SMs", 1, 4096, gpu),
      real<&GpuSpec::boost_mhz>("boost_mhz", "MHz", 1, 10000, gpu),
      real<&GpuSpec::l2_mb>("l2_mb", "MB", 0, 4096, gpu),
      real<&GpuSpec::fp32_tflops>("fp32_tflops", "TFLOP/s", 0, 100000, gpu),
      real<&GpuSpec::fp16_tensor_tflops>("fp16_tensor_tflops", "TFLOP/s", 0, 100000, gpu),
      {"memory_gib", "GiB", 1, 65536, gpu, true, false,
       [](GpuSpec& row, double value) { row.memory_bytes = uint64_t(value) << 30; }},
      real<&GpuSpec::dram_gb_s>("dram_gb_s", "GB/s", 1, 1000000, gpu),
      real<&GpuSpec::host_gb_s>("host_gb_s", "GB/s", 1, 100000, gpu),
      {"peer_gb_s", "GB/s", 1, 100000, Need::never, false, false, shown},
      real<&GpuSpec::l2_latency>("l2_latency", "cycles", 1, 5000, gpu),
      real<&GpuSpec::dram_latency>("dram_latency", "cycles", 1, 5000, gpu),
      real<&GpuSpec::block_latency>("block_latency", "cycles", 1, 5000, gpu),
      real<&GpuSpec::l2_gb_s>("l2_gb_s", "GB/s", 1, 1000000, gpu),
      real<&GpuSpec::dram_load_share>("dram_load_share", "1", 0.01, 1, gpu),
      real<&GpuSpec::dram_store_share>("dram_store_share", "1", 0.01, 1, gpu),
      real<&GpuSpec::dram_copy_share>("dram_copy_share", "1", 0.01, 1, gpu),
      real<&GpuSpec::atomic_same_ns>("atomic_same_ns", "ns", 0.01, 1000, gpu),
      real<&GpuSpec::atomic_lanes_per_us>("atomic_lanes_per_us", "1/us", 1, 1000000, gpu),
      real<&GpuSpec::launch_us>("launch_us", "us", 0, 1000, gpu),
  };
  return table;
}

const GpuFigureRule* gpu_figure_rule(std::string_view name) {
  for (const GpuFigureRule& rule : gpu_figure_rules())
    if (rule.name == name) return &rule;
  return nullptr;
}

}  // namespace warpbook
