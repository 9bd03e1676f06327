#pragma once
// Pictures' raw material: who wrote which element, what a warp touched step by step, how full each warp was.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "result/launch.h"

namespace warpbook {

/// For each element of a buffer: how often it was written and by which thread last; of several writers the
/// one with the highest number counts as the last, whatever order the blocks ran in. Threads are numbered
/// through the grid: block index (x fastest) times threads a block, plus thread index (x fastest).
struct WriteMap {
  std::string buffer;
  std::vector<uint8_t> times;   ///< writes, saturating at 255
  std::vector<int64_t> writer;  ///< -1 = nobody
  struct Miss {
    int64_t thread;
    int64_t index;
  };
  std::vector<Miss> out_of_range;  ///< at most 4096, lowest threads first
};

/// Full and idle lanes of one warp over the launch.
struct WarpCounters {
  uint64_t block = 0;  ///< linear block index
  uint32_t warp = 0;   ///< within the block
  uint64_t warp_instructions = 0, thread_instructions = 0;
};

/// One memory access of one warp, in the order of execution.
struct RecordedAccess {
  uint32_t step = 0;  ///< counts warp instructions of this warp
  int line = 0;
  std::string buffer;
  std::string space;                ///< global shared local const
  std::string access;               ///< read write atomic
  uint32_t mask = 0;                ///< active lanes
  uint32_t bytes = 0;               ///< a lane
  std::array<int64_t, 32> index{};  ///< element index per lane
};

/// What one warp did, bounded in length; the base of scrubbers.
struct Recording {
  Dim3 block;
  uint32_t warp = 0;
  bool complete = true;  ///< false when the bound cut it
  std::vector<RecordedAccess> accesses;
};

}  // namespace warpbook
