#pragma once
// What the emulator counts, exact at PTX level ("counted" stamps). A request is one warp executing one memory
// instruction; a sector is 32 bytes; a bank pass is one trip to the 32 banks of shared memory.
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "result/kernel_trace.h"
#include "result/launch.h"

namespace warpbook {

/// Traffic of one kind of access.
struct AccessCounters {
  uint64_t requests = 0;        ///< warp-level executions with at least one active lane
  uint64_t lanes = 0;           ///< active lanes over all requests
  uint64_t bytes = 0;           ///< bytes asked for by the lanes
  uint64_t sectors = 0;         ///< distinct 32-byte sectors a request touched (global), summed
  uint64_t ideal_sectors = 0;   ///< the fewest sectors that hold that many bytes
  uint64_t lines = 0;           ///< distinct lines of 128 bytes a request touched (global), summed
  uint64_t l1_thousandths = 0;  ///< of a cycle on L1's data path (global and local, result/l1_path.h)
  uint64_t bank_passes = 0;     ///< shared memory: passes over the banks
  uint64_t ideal_passes = 0;
  uint64_t same_address = 0;  ///< atomics: the most lanes of a request at one address, summed
  void add(const AccessCounters& other);
};

struct Counters {
  uint64_t threads = 0, blocks = 0, warps = 0;
  uint64_t warp_instructions = 0;    ///< issued
  uint64_t thread_instructions = 0;  ///< lanes that executed one (guarded-off lanes do not count)
  uint64_t branches = 0, divergent_branches = 0;
  uint64_t barriers = 0;                             ///< warp-level arrivals at block barriers
  std::array<uint64_t, instruction_kinds> issued{};  ///< warp instructions by InstructionKind
  uint64_t least_in_block = 0, most_in_block = 0;    ///< warp instructions of a block
  AccessCounters global_load, global_store, global_atomic, shared_load, shared_store, shared_atomic,
      local_load, local_store;
  /// thread_instructions / (32 * warp_instructions); 0 when nothing ran.
  double active_lane_share() const;
};

struct LineCounters {
  std::string file;
  int line = 0;  ///< 0 = instructions that no line owns
  uint64_t warp_instructions = 0, thread_instructions = 0;
  uint64_t branches = 0, divergent_branches = 0;
  AccessCounters global, shared, local;
};

/// One row of the table of named counters: what checks, quizzes, views and reports ask for by name.
struct NamedCounter {
  std::string_view name;    ///< "global_load_sectors_per_request"
  std::string_view label;   ///< "Sectors a request, global loads"
  std::string_view unit;    ///< "" for plain counts, "%" ...
  std::string_view nsight;  ///< what Nsight Compute calls it; empty when it has no such metric
  double (*value)(const Counters&);
};
const std::vector<NamedCounter>& named_counters();
std::optional<double> counter_value(const Counters& counters, std::string_view name);

}  // namespace warpbook
