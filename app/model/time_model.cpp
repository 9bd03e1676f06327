#include "model/time_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>

#include "base/complaint.h"
#include "base/text.h"
#include "result/rounded.h"

namespace warpbook {

namespace {

/// Busy cycles of an SM that a block costs, with the chip's bandwidths shared by the SMs that run.
struct BlockCost {
  ResourceCycles busy{};
  double latency = 0;
};

struct Chip {
  const GpuSpec& gpu;
  double active_sms = 1;
  double dram_share = 1;
  double clock_hz() const { return gpu.boost_mhz * 1e6; }
  /// Bytes a cycle that one of the running SMs gets of a chip-wide bandwidth.
  double of_chip(double gb_s) const { return gb_s * 1e9 / clock_hz() / active_sms; }
};

/// One SM takes at most 64 bytes a cycle from L2, however idle the others are (CUDA architecture
/// whitepapers).
constexpr double l2_bytes_to_one_sm = 64;

ResourceCycles in_cycles(const ResourceCycles& busy, const Chip& chip, double scale, double dram_scale) {
  ResourceCycles out = busy;
  for (double& cycles : out) cycles *= scale;
  double& l2 = out[size_t(Resource::l2)];
  double& dram = out[size_t(Resource::dram)];
  l2 /= std::min(l2_bytes_to_one_sm, chip.of_chip(chip.gpu.l2_gb_s));
  dram *= dram_scale / std::min(l2_bytes_to_one_sm, chip.of_chip(chip.gpu.dram_gb_s * chip.dram_share));
  return out;
}

ResourceCycles times(const ResourceCycles& busy, double count) {
  ResourceCycles out = busy;
  for (double& cycles : out) cycles *= count;
  return out;
}

double mean(const std::vector<double>& values) {
  return values.empty() ? 0 : std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

/// Greedy: each block in order to the slot that is free first. The ends of all slots.
std::vector<double> scheduled(const std::vector<double>& block_times, uint64_t blocks, uint64_t slots) {
  std::priority_queue<double, std::vector<double>, std::greater<>> free;
  for (uint64_t i = 0; i < slots; ++i) free.push(0);
  for (uint64_t i = 0; i < blocks; ++i) {
    const double begin = free.top();
    free.pop();
    // Sampled blocks stand for their neighbours.
    free.push(begin + block_times[size_t(i * block_times.size() / blocks)]);
  }
  std::vector<double> ends;
  for (; !free.empty(); free.pop()) ends.push_back(free.top());
  return ends;
}

std::string micro(double us) {
  return us >= 1000 ? fmt::format("{:.3g} ms", us / 1000) : fmt::format("{:.3g} us", us);
}

/// Everything that one question is worked out with.
struct Model {
  Model(const GpuSpec& of, const TimeQuestion& asked, const ReplayedTrace& from)
      : gpu(of), question(asked), replayed(from) {}
  const GpuSpec& gpu;
  const TimeQuestion& question;
  const ReplayedTrace& replayed;
  ModelledTime out;
  Chip chip{gpu};
  double scale = 1;       ///< launch to sample, a block: work that the bound of the trace cut off
  double grid_scale = 1;  ///< launch to sample, all blocks
  double dram_scale = 1;  ///< what sampling overstates of DRAM reads
  double dram_reads = 0, dram_writes = 0;  ///< sectors of the launch
  int64_t per_sm = 1;
  std::vector<BlockCost> costs;
  BlockCost typical;

  double batch(double blocks) const {
    const double spread = combined(times(typical.busy, blocks), typical.latency);
    if (blocks > 1) return spread;
    // Alone on its SM a block's phases between barriers cannot hide behind another block's.
    return std::max(spread, alone());
  }
  double alone() const {
    std::vector<double> sums;
    for (const ReplayedBlock& block : replayed.blocks) {
      double sum = gpu.block_latency;
      for (const ReplayedPhase& phase : block.phases)
        sum += combined(in_cycles(phase.busy, chip, scale, dram_scale), phase.latency * scale);
      sums.push_back(sum);
    }
    return mean(sums);
  }

  void measure_memory() {
    const double blocks = double(out.blocks), sampled = double(std::max<size_t>(1, replayed.blocks.size()));
    grid_scale = blocks / sampled * scale;
    // What all buffers hold together is the most that one wave can bring from memory.
    const double footprint = question.footprint_bytes / 32;
    const double usable = gpu.l2_mb * 1e6 * 0.8 / 32;
    const double rounds = std::max(1.0, std::ceil(out.waves));
    dram_reads = replayed.dram_read_sectors * grid_scale;
    if (footprint > 0)
      dram_reads = std::min(dram_reads, footprint <= usable ? footprint : footprint * rounds);
    // What fits into L2 need not be written before the kernel ends.
    dram_writes = replayed.dram_write_sectors * grid_scale;
    if (footprint > 0 && footprint <= usable) dram_writes = 0;
    const double before = replayed.dram_read_sectors * grid_scale;
    const double traffic = dram_reads + dram_writes;
    dram_scale = before > 0 ? traffic / before : 1;
    chip.dram_share = dram_writes < 0.1 * traffic  ? gpu.dram_load_share
                      : dram_reads < 0.1 * traffic ? gpu.dram_store_share
                                                   : gpu.dram_copy_share;
  }

  void cost_blocks() {
    // Stores are not charged where they happen: their share of the traffic is spread over all blocks alike.
    const double sampled = double(std::max<size_t>(1, replayed.blocks.size()));
    const bool only_stores = replayed.dram_read_sectors == 0;
    std::vector<double> latencies;
    for (const ReplayedBlock& block : replayed.blocks) {
      BlockCost cost;
      ResourceCycles busy = block.busy;
      if (only_stores)
        busy[size_t(Resource::dram)] = dram_writes * 32 / std::max(1.0, grid_scale * sampled) * scale;
      cost.busy = in_cycles(busy, chip, scale, only_stores ? 1 : dram_scale);
      cost.latency = block.latency * scale + gpu.block_latency;
      for (size_t r = 0; r < resource_count; ++r) typical.busy[r] += cost.busy[r] / sampled;
      latencies.push_back(cost.latency);
      costs.push_back(cost);
    }
    typical.latency = mean(latencies);
  }

  /// Cycles that atomics on the busiest address, or on all together, take.
  double atomic_cycles() const {
    const double same = replayed.most_atomics_at_one * scale * gpu.atomic_same_ns * 1e-9;
    const double all = replayed.atomic_lanes * grid_scale / (gpu.atomic_lanes_per_us * 1e6);
    return std::max(same, all) * chip.clock_hz();
  }

  /// Waves and what is left over; blocks of different length find their slots one by one.
  double grid_cycles() {
    const auto slots = uint64_t(gpu.sms) * uint64_t(per_sm);
    const auto blocks = uint64_t(out.blocks);
    const double full = batch(double(per_sm));
    out.block_cycles = full;
    std::vector<double> block_times;
    double longest = 0, total = 0;
    for (const BlockCost& cost : costs) {
      const double own = typical.latency > 0 ? full * cost.latency / typical.latency : full;
      block_times.push_back(own);
      longest = std::max(longest, own);
      total += own;
    }
    const double usual = total / double(std::max<size_t>(1, costs.size()));
    if (longest > 1.1 * usual && blocks <= 4'000'000 && blocks > 1) {
      const std::vector<double> ends = scheduled(block_times, blocks, std::min(slots, blocks));
      for (const double end : ends) out.slot_ends.push_back(float(end / ends.back()));
      return ends.back();
    }
    const uint64_t waves = blocks / slots, rest = blocks % slots;
    if (waves >= 5) {
      // Slots are refilled one by one: there is no sharp edge between the waves.
      return double(blocks) / double(slots) * full + 0.5 * full;
    }
    double cycles = double(waves) * full;
    if (rest > 0) {
      const auto left = double((rest + uint64_t(gpu.sms) - 1) / uint64_t(gpu.sms));
      cycles += batch(left);
    }
    for (uint64_t slot = 0; slot < std::min<uint64_t>(slots, 4096); ++slot) {
      const bool busy_to_the_end = rest == 0 || slot < rest;
      out.slot_ends.push_back(busy_to_the_end ? 1.f : float(double(waves) * full / cycles));
    }
    return cycles;
  }

  void list_terms(double atomics, double cycles) {
    const double blocks_a_sm = double(out.blocks) / chip.active_sms;
    for (size_t r = 0; r < resource_count; ++r) {
      const auto resource = Resource(r);
      const double busy = typical.busy[r] * blocks_a_sm;
      if (busy < 0.005 * cycles) continue;
      out.terms.push_back({std::string(name_of(resource)), std::string(label_of(resource)), busy,
                           fmt::format("{} cycles a block × {} blocks an SM", rounded_figure(typical.busy[r]),
                                       rounded_figure(blocks_a_sm))});
    }
    const double rounds = std::max(1.0, out.waves);
    out.terms.push_back(
        {"latency", "Waiting for results", typical.latency * rounds,
         fmt::format("{} cycles for the slowest warp of a block, with {:.0f} to start one, × {:.3g} waves",
                     rounded_figure(typical.latency), gpu.block_latency, rounds)});
    if (atomics >= 0.005 * cycles)
      out.terms.push_back({"atomics", "Atomics in L2", atomics,
                           fmt::format("{} at the busiest address × {:.3g} ns, or {} in all at {} a µs",
                                       rounded_figure(replayed.most_atomics_at_one * scale),
                                       gpu.atomic_same_ns, rounded_figure(replayed.atomic_lanes * grid_scale),
                                       rounded_figure(gpu.atomic_lanes_per_us))});
    const double exposed = per_sm == 1 ? alone() - combined(typical.busy, typical.latency) : 0;
    if (exposed > 0.02 * typical.latency)
      out.terms.push_back({"barriers", "Phases between barriers", exposed * rounds,
                           "one block an SM: loading and computing take turns, and this is not hidden"});
    std::stable_sort(out.terms.begin(), out.terms.end(),
                     [](const TimeTerm& a, const TimeTerm& b) { return a.cycles > b.cycles; });
    const double launch = gpu.launch_us * gpu.boost_mhz;
    out.dominating = out.terms.empty() || launch > cycles ? "launch" : out.terms.front().name;
  }

  void list_memory() {
    const double sm_l1 = gpu.l1_bytes_per_clock * gpu.sms * chip.clock_hz() / 1e9;
    const auto share = [](double part, double whole) { return whole > 0 ? part / whole : 0; };
    out.memory.push_back(
        {"L1", replayed.l1_bytes * grid_scale, share(replayed.l1_hits, replayed.l1_sectors), sm_l1});
    const double l2_bytes = replayed.l2_sectors * grid_scale * 32;
    const double missed = dram_reads * 32;
    const double loads = std::max(0.0, l2_bytes - replayed.store_sectors * grid_scale * 32);
    out.memory.push_back(
        {"L2", l2_bytes, loads > 0 ? std::clamp(1 - missed / loads, 0.0, 1.0) : 0, gpu.l2_gb_s});
    out.memory.push_back({"DRAM", (dram_reads + dram_writes) * 32, 1, gpu.dram_gb_s});
    out.shared_passes = replayed.shared_passes * grid_scale;
    out.shared_ideal_passes = replayed.shared_ideal_passes * grid_scale;
    out.flop = replayed.flop * grid_scale;
    out.peak_tflops = gpu.fp32_tflops;
  }

  void write_formula(double cycles, double atomics) {
    std::string sum;
    for (size_t r = 0; r < resource_count; ++r) {
      const double busy = typical.busy[r] * double(per_sm);
      if (busy < 0.01 * typical.latency) continue;
      sum += fmt::format("{}{}: {:.4g}", sum.empty() ? "" : ", ", name_of(Resource(r)), busy);
    }
    out.formula = fmt::format(
        "batch = ({}latency: {:.4g})^(1/2.5 of the sum of 2.5th powers) = {:.4g} cycles for {} block{} an "
        "SM; "
        "{:.4g} waves of {} x {} blocks = {:.4g} cycles; time = {:.3g} us to launch + {:.4g} cycles{} / "
        "{:.0f} "
        "MHz = {}",
        sum.empty() ? "" : sum + ", ", typical.latency, batch(double(per_sm)), per_sm, per_sm == 1 ? "" : "s",
        out.waves, gpu.sms, per_sm, cycles, gpu.launch_us, std::max(cycles, atomics),
        atomics > cycles ? " of atomics" : "", gpu.boost_mhz, micro(out.us));
  }

  ModelledTime answer() {
    out.gpu = gpu.name;
    out.sms = gpu.sms;
    out.clock_mhz = gpu.boost_mhz;
    out.launch_us = gpu.launch_us;
    out.blocks = int64_t(question.launch.grid.count());
    out.blocks_per_sm = question.occupancy.active_blocks;
    per_sm = std::max<int64_t>(1, out.blocks_per_sm);
    const double slots = double(gpu.sms) * double(per_sm);
    out.waves = double(out.blocks) / slots;
    out.wave_efficiency = out.waves / std::ceil(out.waves);
    // Few blocks spread over the SMs, one to each, before an SM gets a second.
    per_sm = std::min(per_sm, (out.blocks + gpu.sms - 1) / gpu.sms);
    chip.active_sms = double(std::min<int64_t>(gpu.sms, out.blocks));
    const double sampled = double(std::max<size_t>(1, replayed.blocks.size()));
    const double traced_a_block = replayed.warp_instructions / sampled;
    const double a_block = double(question.warp_instructions) / double(out.blocks);
    scale = question.warp_instructions > 0 && traced_a_block > 0 ? a_block / traced_a_block : 1;
    measure_memory();
    cost_blocks();
    const double cycles = grid_cycles(), atomics = atomic_cycles();
    out.us = gpu.launch_us + std::max(cycles, atomics) / gpu.boost_mhz;
    list_terms(atomics, cycles);
    list_memory();
    write_formula(cycles, atomics);
    // Streams are known within a quarter, everything else within a half (what public analytical models
    // reach).
    const double band = out.dominating == "dram" || out.dominating == "launch" ? 1.25 : 1.5;
    out.low_us = out.us / band;
    out.high_us = out.us * band;
    out.sampled = !replayed.complete;
    if (out.sampled)
      out.sampling =
          fmt::format("{} of {} blocks", replayed.blocks.size(), with_thousands(uint64_t(out.blocks)));
    return std::move(out);
  }
};

}  // namespace

double combined(const ResourceCycles& busy, double latency) {
  double most = latency;
  for (const double cycles : busy) most = std::max(most, cycles);
  if (most <= 0) return 0;
  double sum = std::pow(latency / most, norm_exponent);
  for (const double cycles : busy) sum += std::pow(cycles / most, norm_exponent);
  return most * std::pow(sum, 1 / norm_exponent);
}

ModelledTime model_replay(const GpuSpec& gpu, const TimeQuestion& question, const ReplayedTrace& replayed) {
  return Model(gpu, question, replayed).answer();
}

Result<ModelledTime> model_time(const GpuSpec& gpu, const TimeQuestion& question) {
  if (gpu.sms == 0) return complaint(fmt::format("{} is a compute capability: a time needs a GPU", gpu.name));
  if (!question.trace || question.trace->blocks.empty())
    return complaint("there is no trace of the launch, so no time can be modelled");
  if (question.occupancy.active_blocks == 0)
    return complaint(fmt::format("the launch does not fit on the {}", gpu.name));
  // The driver grants the smallest partition that holds the resident blocks' shared memory; the rest is L1.
  const auto needed = uint64_t(question.occupancy.active_blocks * question.occupancy.shared_per_block);
  uint64_t pool = gpu.shared_per_sm;
  for (auto size = gpu.carveouts.rbegin(); size != gpu.carveouts.rend(); ++size)
    if (*size >= needed) pool = *size;
  const ReplaySetting setting{question.occupancy.active_blocks, pool};
  return model_replay(gpu, question, replay(*question.trace, gpu, setting));
}

const std::vector<std::string_view>& not_modelled() {
  static const std::vector<std::string_view> list = {
      "how ptxas orders instructions, and conflicts between register banks",
      "misses of the instruction cache",
      "misses of the address translation, which large random accesses meet",
      "rows and refresh of the DRAM",
      "clocks that fall under load or heat",
      "the distance to the far half of a split L2",
      "asynchronous copies by hardware (TMA) and warp-group matrix instructions",
      "error correction, MIG partitions and kernels that run at the same time",
  };
  return list;
}

}  // namespace warpbook
