#pragma once
// ptxas makes one access of 8 or 16 bytes out of neighbouring ones to shared memory of the same address
// register. A trace is of PTX, where they are still apart, so they are put together here before anything is
// counted. Global memory is left alone: a pointer promises no more than the alignment of its elements, and
// measured products of matrices show that such loads stay apart.
#include <cstdint>
#include <vector>

#include "result/kernel_trace.h"

namespace warpbook {

/// How an instruction of the trace is counted.
struct MergedAccess {
  enum class Role : uint8_t { alone, leader, follower };
  Role role = Role::alone;
  uint8_t bytes = 0;         ///< of a leader: all of the group's
  int64_t first_offset = 0;  ///< of a leader: from its own address to the group's lowest
  uint32_t leader = 0;       ///< of a follower: its leader's instruction
};

/// By instruction. Merged are loads, and stores, of one basic block that share base register, space and size,
/// whose offsets are neighbours and start at a multiple of the merged size, with nothing in between that
/// could change base or memory. Whether the base itself is aligned, the replay sees.
std::vector<MergedAccess> merge_neighbours(const KernelTrace& trace);

}  // namespace warpbook
