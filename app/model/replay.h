#pragma once
// A trace replayed for one GPU: how many cycles the sampled blocks keep each resource of an SM busy, how long
// their warps take when nothing but dependencies holds them, and where their memory accesses end.
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "result/gpu_spec.h"
#include "result/kernel_trace.h"

namespace warpbook {

/// What a block can be waiting for, apart from dependencies.
enum class Resource : uint8_t { issue, alu, imul, sfu, fp64, fp16, convert, tensor, lsu, l2, dram };
inline constexpr size_t resource_count = 11;
std::string_view name_of(Resource resource);
std::string_view label_of(Resource resource);

/// Cycles of one SM that each resource is busy.
using ResourceCycles = std::array<double, resource_count>;

/// One block between two barriers.
struct ReplayedPhase {
  ResourceCycles busy{};
  double latency = 0;  ///< cycles of the slowest warp
};

struct ReplayedBlock {
  uint64_t block = 0;
  ResourceCycles busy{};
  double latency = 0;  ///< cycles from its first instruction to the last of its slowest warp
  std::vector<ReplayedPhase> phases;
};

struct ReplayedTrace {
  std::vector<ReplayedBlock> blocks;
  double warp_instructions = 0;  ///< as executed: before neighbours were merged
  double issued = 0;             ///< after
  double flop = 0;
  double l1_bytes = 0;  ///< asked of L1 by loads of global and local memory
  double l1_sectors = 0, l1_hits = 0;
  double l2_sectors = 0, l2_hits = 0;  ///< loads, stores and atomics that reach L2
  double dram_read_sectors = 0, dram_write_sectors = 0;
  double store_sectors = 0;
  double shared_passes = 0, shared_ideal_passes = 0;
  double atomic_lanes = 0;
  double most_atomics_at_one = 0;  ///< lanes, over the launch
  double merged = 0;               ///< accesses that were joined to another
  bool complete = false;
};

/// How blocks share the chip.
struct ReplaySetting {
  int64_t blocks_per_sm = 1;
  uint64_t shared_pool = 0;  ///< bytes of the unified memory that are shared memory
};

ReplayedTrace replay(const KernelTrace& trace, const GpuSpec& gpu, const ReplaySetting& setting);

}  // namespace warpbook
