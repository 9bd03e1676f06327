// Warps take turns of a few instructions, so that they share the caches as they do on a GPU; each has its own
// virtual time, which a register scoreboard moves on: an instruction starts when its operands are ready.
#include "model/replay.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <unordered_map>

#include "model/access_cost.h"
#include "model/instruction_mix.h"
#include "model/merge_loads.h"
#include "model/sector_cache.h"

namespace warpbook {

namespace {

/// Instructions of a warp's turn.
constexpr int turn_instructions = 64;
constexpr size_t most_phases = 4096;
/// Two barrier instructions of a warp go through in 4 cycles (CUDA C++ Programming Guide, 16 threads a
/// cycle).
constexpr double barrier_cycles = 2;

struct Counts {
  ResourceCycles busy{};
  double fp32 = 0, int32 = 0;  ///< warp instructions
};

struct Phase {
  Counts counts;
  double begins = 0, ends = 0;
};

struct Block {
  uint64_t number = 0;
  std::unique_ptr<SectorCache> l1;
  std::vector<Phase> phases{1};
  size_t alive = 0, waiting = 0;
};

struct Warp {
  TraceReader reader;
  Block* block;
  uint64_t identity = 0;  ///< of its local memory
  std::vector<float> ready;
  double time = 0;
  double floor = 0;               ///< when the running basic block began, or the last barrier
  double latest = 0;              ///< the last start of an instruction so far
  double pipe[4] = {0, 0, 0, 0};  ///< when fp32, int, sfu and lsu take the next of its instructions
  uint32_t at = 0, end = 0;       ///< instructions of the running basic block
  uint32_t lanes = ~0u;           ///< of it
  size_t phase = 0;
  /// When the merged accesses that were started last are ready, by leader.
  std::array<std::pair<uint32_t, double>, 8> merged{};
  size_t next_merged = 0;
  bool done = false, waiting = false;
};

enum class Level : uint8_t { l1, l2, dram };

class Player {
 public:
  Player(const KernelTrace& trace, const GpuSpec& gpu, const ReplaySetting& setting)
      : trace_(trace), gpu_(gpu), merged_(merge_neighbours(trace)) {
    const uint64_t sampled = trace.blocks.size();
    const auto concurrent = uint64_t(gpu.sms) * uint64_t(std::max<int64_t>(1, setting.blocks_per_sm));
    const uint64_t running = std::min(trace.grid_blocks, concurrent);
    // Two partitions that each keep copies leave about 0.8 of the capacity (gpu-benches on A100, H100, H200).
    const double usable =
        gpu.compute == "8.0" || gpu.compute == "9.0" || gpu.compute.rfind("10.", 0) == 0 ? 0.8 : 1;
    const double share = std::min(1.0, double(sampled) / double(std::max<uint64_t>(1, running)));
    l2_ = std::make_unique<SectorCache>(uint64_t(gpu.l2_mb * 1e6 * usable * share));
    const uint64_t on_one_sm =
        std::max<uint64_t>(1, std::min<uint64_t>(uint64_t(setting.blocks_per_sm),
                                                 (running + uint64_t(gpu.sms) - 1) / uint64_t(gpu.sms)));
    const uint64_t l1 = gpu.unified_bytes > setting.shared_pool ? gpu.unified_bytes - setting.shared_pool : 0;
    blocks_.reserve(sampled);
    for (const BlockTrace& block : trace.blocks) {
      Block& own = blocks_.emplace_back();
      own.number = block.block;
      own.l1 = std::make_unique<SectorCache>(std::max<uint64_t>(8192, l1 / on_one_sm));
      own.alive = block.warps.size();
      for (const WarpTrace& warp : block.warps) {
        Warp& one = warps_.emplace_back(Warp{TraceReader{warp.words}, &own, warps_.size(), {}});
        one.ready.assign(trace.registers, 0.f);
      }
    }
  }

  ReplayedTrace play() {
    bool left = true;
    while (left) {
      left = false;
      for (Warp& warp : warps_) {
        if (warp.done) continue;
        left = true;
        if (!warp.waiting) turn(warp);
      }
    }
    finish();
    return std::move(out_);
  }

 private:
  double& busy(Warp& warp, Resource resource) {
    return warp.block->phases[warp.phase].counts.busy[size_t(resource)];
  }

  void turn(Warp& warp) {
    for (int i = 0; i < turn_instructions; ++i) {
      if (warp.at == warp.end) {
        // Accesses that no instruction of the running basic block asked for: of lanes that waited elsewhere.
        while (warp.reader.more() && warp.reader.at_access()) access(warp, warp.reader.next_number());
        if (!warp.reader.more()) return leave(warp);
        const KernelTrace::BasicBlock& block = trace_.basic_blocks[warp.reader.next_number()];
        warp.lanes = warp.reader.next_lanes();
        // Instructions issue in order, so a basic block begins when the one before has issued its last.
        warp.floor = warp.time = std::max(warp.time, warp.latest + 1);
        warp.reader.skip_block();
        warp.at = block.first;
        warp.end = block.first + block.count;
        continue;
      }
      const uint32_t number = warp.at++;
      if (trace_.instructions[number].kind == InstructionKind::barrier) {
        issue(warp, trace_.instructions[number]);
        start(warp, trace_.instructions[number], -1, 0);
        busy(warp, Resource::issue) += barrier_cycles - 1;
        return wait(warp);
      }
      step(warp, number);
    }
  }

  void leave(Warp& warp) {
    warp.done = true;
    Phase& phase = warp.block->phases[warp.phase];
    phase.ends = std::max({phase.ends, warp.time, warp.latest});
    --warp.block->alive;
    release(*warp.block);
  }

  void wait(Warp& warp) {
    warp.waiting = true;
    ++warp.block->waiting;
    Phase& phase = warp.block->phases[warp.phase];
    phase.ends = std::max({phase.ends, warp.time, warp.latest});
    release(*warp.block);
  }

  /// Everybody who is left has arrived: they go on together.
  void release(Block& block) {
    if (block.waiting == 0 || block.waiting < block.alive) return;
    double latest = 0;
    for (Warp& warp : warps_)
      if (warp.block == &block && warp.waiting) latest = std::max({latest, warp.time, warp.latest});
    latest += gpu_.barrier_latency;
    const bool split = block.phases.size() < most_phases;
    if (split) {
      block.phases.emplace_back();
      block.phases.back().begins = block.phases.back().ends = latest;
    }
    for (Warp& warp : warps_) {
      if (warp.block != &block || !warp.waiting) continue;
      warp.waiting = false;
      warp.time = warp.floor = warp.latest = latest;
      warp.phase = block.phases.size() - 1;
    }
    block.waiting = 0;
  }

  /// When an instruction starts. ptxas orders those of a basic block so that few wait for others than their
  /// operands: what counts is the place among the issues, the operands, and the lanes or cycles it takes.
  double start(Warp& warp, const TracedInstruction& one, int pipe, double cycles) {
    double begin = warp.time;
    warp.time += one.issues;
    for (uint32_t k = one.reads_first; k < one.reads_end; ++k)
      begin = std::max(begin, double(warp.ready[trace_.operands[k]]));
    if (pipe >= 0) {
      begin = std::max(begin, warp.pipe[pipe]);
      warp.pipe[pipe] = std::max(warp.pipe[pipe], warp.floor) + cycles;
    }
    warp.latest = std::max(warp.latest, begin + one.issues - 1);
    return begin;
  }
  /// A warp lives on one of four schedulers, which have a quarter of the lanes each.
  double cycles_on(double instructions, double lanes) const {
    return std::max(1.0, 32 * gpu_.schedulers / lanes) * instructions;
  }
  void finish_at(Warp& warp, const TracedInstruction& one, double time) {
    for (uint32_t k = one.reads_end; k < one.writes_end; ++k) warp.ready[trace_.operands[k]] = float(time);
  }
  void issue(Warp& warp, const TracedInstruction& one) {
    out_.issued += one.issues;
    busy(warp, Resource::issue) += one.issues / gpu_.schedulers;
  }

  void step(Warp& warp, uint32_t number) {
    const TracedInstruction& one = trace_.instructions[number];
    out_.warp_instructions += 1;
    switch (one.kind) {
      case InstructionKind::load:
      case InstructionKind::store:
      case InstructionKind::atomic:
        if (warp.reader.more() && warp.reader.at_access() && warp.reader.next_number() == number) {
          while (warp.reader.more() && warp.reader.at_access() && warp.reader.next_number() == number)
            access(warp, number);
        } else {
          issue(warp, one);  // its guard let nobody through
          finish_at(warp, one, start(warp, one, -1, 0) + 1);
        }
        return;
      case InstructionKind::free: {
        while (warp.reader.more() && warp.reader.at_access() && warp.reader.next_number() == number)
          warp.reader.read_access(addresses_);  // of a parameter
        // Takes no slot of its own; what it copies is ready when its source is.
        double time = warp.floor;
        for (uint32_t k = one.reads_first; k < one.reads_end; ++k)
          time = std::max(time, double(warp.ready[trace_.operands[k]]));
        return finish_at(warp, one, time);
      }
      default: break;
    }
    arithmetic(warp, one);
  }

  void arithmetic(Warp& warp, const TracedInstruction& one) {
    const double work = 32.0 * one.issues;
    out_.issued += one.issues;
    out_.flop +=
        one.kind == InstructionKind::tensor ? one.flop : double(one.flop) * std::popcount(warp.lanes);
    busy(warp, Resource::issue) += one.issues / gpu_.schedulers;
    double latency = gpu_.alu_latency, lanes = gpu_.int32_lanes;
    int pipe = 1;
    double on_pipe = one.issues;  ///< of its instructions, those that the pipe below takes
    Counts& counts = warp.block->phases[warp.phase].counts;
    const auto spread = [&](double width, double unit_latency, int unit_pipe, double share) {
      const InstructionMix mix = mix_of(one.kind, one.issues);
      counts.busy[size_t(Resource::imul)] += 32 * mix.imul / gpu_.imul_lanes;
      counts.busy[size_t(Resource::convert)] += 32 * mix.convert / gpu_.convert_lanes;
      counts.busy[size_t(Resource::sfu)] += 32 * mix.sfu / gpu_.sfu_lanes;
      counts.busy[size_t(Resource::fp64)] += 32 * mix.fp64 / gpu_.fp64_lanes;
      counts.fp32 += mix.fp32;
      counts.int32 += mix.int32;
      lanes = width;
      latency = unit_latency;
      pipe = unit_pipe;
      on_pipe = share;
    };
    // A unit beside the two plain pipes: its width bounds the throughput, its latency the chain.
    const auto on_unit = [&](Resource resource, double width, double unit_latency, int unit_pipe) {
      busy(warp, resource) += work / width;
      lanes = width;
      latency = unit_latency;
      pipe = unit_pipe;
    };
    switch (one.kind) {
      case InstructionKind::fp32:
        counts.fp32 += one.issues;
        lanes = gpu_.fp32_lanes;
        pipe = 0;
        break;
      case InstructionKind::int32: counts.int32 += one.issues; break;
      case InstructionKind::imul:
        spread(gpu_.imul_lanes, gpu_.imul_latency, 1, one.issues);  // integers share the pipe
        break;
      case InstructionKind::sfu:
        spread(gpu_.sfu_lanes, gpu_.sfu_latency, 2, mix_of(one.kind, one.issues).sfu);
        break;
      case InstructionKind::fp64:
        spread(gpu_.fp64_lanes, gpu_.fp64_latency, 2, mix_of(one.kind, one.issues).fp64);
        break;
      case InstructionKind::fp16: on_unit(Resource::fp16, gpu_.fp16x2_lanes, gpu_.alu_latency, 0); break;
      case InstructionKind::convert:
        on_unit(Resource::convert, gpu_.convert_lanes, gpu_.convert_latency, 2);
        break;
      case InstructionKind::shuffle:
        on_unit(Resource::lsu, gpu_.shuffle_lanes, gpu_.shuffle_latency, 3);
        break;
      case InstructionKind::tensor: {
        const double a_cycle =
            gpu_.fp16_tensor_tflops * 1e6 / (std::max(1, gpu_.sms) * std::max(1.0, gpu_.boost_mhz));
        busy(warp, Resource::tensor) += one.flop / std::max(1.0, a_cycle);
        latency = 32;
        pipe = -1;
        break;
      }
      default: pipe = -1; break;
    }
    const double begin = start(warp, one, pipe, cycles_on(on_pipe, lanes));
    finish_at(warp, one, begin + one.issues - 1 + latency);
  }

  /// The access that the reader stands at, of instruction `number`.
  void access(Warp& warp, uint32_t number) {
    const TracedInstruction& one = trace_.instructions[number];
    const uint32_t lanes = warp.reader.next_lanes();
    warp.reader.read_access(addresses_);
    const uint64_t first = addresses_[size_t(std::countr_zero(lanes))];
    const MergedAccess& merged = merged_[number];
    uint32_t bytes = one.bytes;
    bool apart = merged.role == MergedAccess::Role::alone;
    if (!apart) {
      // Merged only where the addresses are aligned for it, which their registers' values decide.
      const TracedInstruction& leader = trace_.instructions[merged.leader];
      const MergedAccess& whole = merged_[merged.leader];
      const uint64_t start = first - uint64_t(one.offset - leader.offset) + uint64_t(whole.first_offset);
      apart = start % whole.bytes != 0;
      if (!apart && merged.role == MergedAccess::Role::follower) {
        out_.merged += 1;
        for (const auto& [leader_number, ready] : warp.merged)
          if (leader_number == merged.leader) finish_at(warp, one, ready);
        return;
      }
      if (!apart) {
        bytes = whole.bytes;
        for (uint32_t rest = lanes; rest; rest &= rest - 1)
          addresses_[size_t(std::countr_zero(rest))] += uint64_t(whole.first_offset);
      }
    }
    issue(warp, one);
    double cycles = 1, latency = gpu_.alu_latency;
    if (one.space == TracedSpace::constant) {
      latency = 8;
    } else if (first >= traced_local_begin) {
      local(warp, one, lanes, bytes, cycles, latency);
    } else if (first >= traced_shared_begin) {
      cycles = one.kind == InstructionKind::atomic ? shared_atomic_passes(addresses_, lanes)
                                                   : shared_passes(addresses_, lanes, bytes);
      out_.shared_passes += cycles;
      out_.shared_ideal_passes += std::max(1.0, double(std::popcount(lanes)) * bytes / 128);
      latency = gpu_.shared_latency;
    } else {
      global(warp, one, lanes, bytes, cycles, latency);
    }
    busy(warp, Resource::lsu) += cycles;
    const double begin = start(warp, one, 3, cycles);
    const double ready = begin + latency + cycles - 1;
    if (!apart) warp.merged[warp.next_merged++ % warp.merged.size()] = {number, ready};
    finish_at(warp, one, ready);
  }

  void to_l2(Warp& warp, uint64_t sector, bool write, Level& level) {
    busy(warp, Resource::l2) += 32;
    out_.l2_sectors += 1;
    const bool hit = write ? l2_->store(sector) : l2_->load(sector);
    if (hit) {
      out_.l2_hits += 1;
      level = std::max(level, Level::l2);
    } else if (write) {
      level = std::max(level, Level::l2);  // a sector that is written whole needs nothing from memory
    } else {
      out_.dram_read_sectors += 1;
      busy(warp, Resource::dram) += 32;
      level = std::max(level, Level::dram);
    }
  }

  double latency_of(Level level) const {
    return level == Level::l1 ? gpu_.l1_latency : level == Level::l2 ? gpu_.l2_latency : gpu_.dram_latency;
  }

  void global(Warp& warp, const TracedInstruction& one, uint32_t lanes, uint32_t bytes, double& cycles,
              double& latency) {
    sectors_of(addresses_, lanes, bytes, sectors_);
    Level level = Level::l1;
    if (one.kind == InstructionKind::atomic) {
      for (uint32_t rest = lanes; rest; rest &= rest - 1)
        count_atomic(warp, addresses_[size_t(std::countr_zero(rest))]);
      for (const uint64_t sector : sectors_) to_l2(warp, sector, true, level);
      cycles = std::max(1.0, double(std::popcount(lanes)) / 32 * double(sectors_.size()));
      latency = latency_of(level);
      return;
    }
    cycles = l1_cycles(addresses_, lanes, bytes, gpu_.l1_bytes_per_clock);
    const bool write = one.kind == InstructionKind::store;
    out_.l1_bytes += double(std::popcount(lanes)) * bytes;
    for (const uint64_t sector : sectors_) {
      if (write) {
        warp.block->l1->touch(sector);
        out_.store_sectors += 1;
        to_l2(warp, sector, true, level);
        continue;
      }
      out_.l1_sectors += 1;
      if (warp.block->l1->load(sector)) {
        out_.l1_hits += 1;
      } else {
        to_l2(warp, sector, false, level);
      }
    }
    latency = latency_of(level);
  }

  /// Local memory lies so that the same word of a warp's lanes is one line; L1 keeps what is written.
  void local(Warp& warp, const TracedInstruction& one, uint32_t lanes, uint32_t bytes, double& cycles,
             double& latency) {
    constexpr uint64_t beyond_all_buffers = 1ull << 50;
    Level level = Level::l1;
    cycles = std::max(1.0, double(bytes) / 4);
    for (uint32_t word = 0; word * 4 < bytes; ++word) {
      for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const auto lane = size_t(std::countr_zero(rest));
        const uint64_t offset = addresses_[lane] - traced_local_begin + word * 4;
        behind_[lane] = beyond_all_buffers + (warp.identity << 28) + offset / 4 * 128 + lane * 4;
      }
      sectors_of(behind_, lanes, 4, sectors_);
      for (const uint64_t sector : sectors_) {
        out_.l1_sectors += 1;
        if (warp.block->l1->load(sector)) {
          out_.l1_hits += 1;
        } else if (one.kind == InstructionKind::load) {
          to_l2(warp, sector, false, level);
        }
      }
    }
    latency = latency_of(level);
  }

  void count_atomic(const Warp& warp, uint64_t address) {
    out_.atomic_lanes += 1;
    Target& target = targets_[address];
    ++target.lanes;
    if (target.last_block != warp.block->number + 1) {
      target.last_block = warp.block->number + 1;
      ++target.blocks;
    }
  }

  void finish() {
    const double sampled = double(std::max<size_t>(1, trace_.blocks.size()));
    const double scale = double(trace_.grid_blocks) / sampled;
    for (const auto& [address, target] : targets_) {
      // An address that several of the sampled blocks meet at is met by their like all over the grid.
      const double lanes = double(target.lanes) * (target.blocks > 1 ? scale : 1);
      out_.most_atomics_at_one = std::max(out_.most_atomics_at_one, lanes);
    }
    out_.dram_write_sectors = double(l2_->dirty_sectors() + l2_->dirty_sectors_evicted());
    out_.complete = trace_.complete;
    for (Block& block : blocks_) {
      ReplayedBlock done;
      done.block = block.number;
      for (Phase& phase : block.phases) {
        Counts& counts = phase.counts;
        counts.busy[size_t(Resource::alu)] =
            32 * std::max({counts.fp32 / gpu_.fp32_lanes, counts.int32 / gpu_.int32_lanes,
                           (counts.fp32 + counts.int32) / gpu_.alu_lanes});
        ReplayedPhase& out = done.phases.emplace_back();
        out.busy = counts.busy;
        out.latency = std::max(0.0, phase.ends - phase.begins);
        for (size_t r = 0; r < resource_count; ++r) done.busy[r] += out.busy[r];
        done.latency = std::max(done.latency, phase.ends);
      }
      out_.blocks.push_back(std::move(done));
    }
  }

  const KernelTrace& trace_;
  const GpuSpec& gpu_;
  const std::vector<MergedAccess> merged_;
  std::unique_ptr<SectorCache> l2_;
  std::vector<Block> blocks_;
  std::vector<Warp> warps_;
  LaneAddresses addresses_{}, behind_{};
  std::vector<uint64_t> sectors_;
  struct Target {
    uint64_t lanes = 0, last_block = 0, blocks = 0;
  };
  std::unordered_map<uint64_t, Target> targets_;
  ReplayedTrace out_;
};

}  // namespace

std::string_view name_of(Resource resource) {
  constexpr std::string_view names[] = {"issue",   "alu",    "imul", "sfu", "fp64", "fp16",
                                        "convert", "tensor", "lsu",  "l2",  "dram"};
  return names[size_t(resource)];
}

std::string_view label_of(Resource resource) {
  constexpr std::string_view labels[] = {"Instruction issue",    "FP32 and integer lanes",
                                         "Integer multiply",     "Special functions",
                                         "FP64 lanes",           "FP16 lanes",
                                         "Conversions",          "Tensor cores",
                                         "Shared memory and L1", "L2 bandwidth",
                                         "DRAM bandwidth"};
  return labels[size_t(resource)];
}

ReplayedTrace replay(const KernelTrace& trace, const GpuSpec& gpu, const ReplaySetting& setting) {
  return Player(trace, gpu, setting).play();
}

}  // namespace warpbook
