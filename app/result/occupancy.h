#pragma once
// How full an SM is with blocks of one launch, and what limits it.
#include <cstdint>
#include <string>
#include <vector>

namespace warpbook {

/// What the number of resident blocks depends on. Bytes are of one block.
struct OccupancyQuestion {
  int64_t block_size = 0;  ///< threads
  int64_t registers = 0;   ///< a thread
  int64_t static_bytes = 0, dynamic_bytes = 0;
  int64_t carveout =
      -1;                ///< percent of the SM's memory that is to be shared memory; -1 = the driver's choice
  int64_t barriers = 1;  ///< that a block uses
};

/// What a limit says when its resource does not limit.
inline constexpr int64_t no_limit = 2147483647;

struct Occupancy {
  int64_t active_blocks = 0;  ///< on one SM; 0 = the launch fails
  int64_t active_warps = 0, max_warps = 0;
  double percent = 0;  ///< active of max warps
  // Blocks that each resource has room for.
  int64_t limit_warps = 0, limit_registers = 0, limit_shared = 0, limit_blocks = 0, limit_barriers = no_limit;
  int64_t registers_per_block = 0;    ///< allocated
  int64_t shared_per_block = 0;       ///< allocated bytes, what the system reserves included
  int64_t shared_pool = 0;            ///< bytes of shared memory that the SM is set to
  std::vector<std::string> limiting;  ///< warps registers shared_memory blocks barriers: those at the minimum
};

/// One way to other numbers of blocks.
struct OccupancyChange {
  std::string input;  ///< block_size, registers, dynamic_bytes
  int64_t value = 0;  ///< the nearest at which it changes
  int64_t active_blocks = 0, active_warps = 0;
  double percent = 0;
};

struct OccupancyPoint {
  int64_t value = 0;  ///< threads, registers or bytes
  int64_t active_blocks = 0, active_warps = 0;
};

/// A launch on one GPU with everything that a picture of it shows.
struct OccupancyPicture {
  std::string gpu, compute;
  OccupancyQuestion question;
  Occupancy occupancy;
  std::vector<OccupancyChange> changes;
  std::vector<OccupancyPoint> by_block_size, by_registers, by_shared;
  int64_t most_threads = 0, most_registers = 0, most_shared = 0;  ///< where the curves end
  int64_t registers_per_sm = 0;
  std::string compiled_for;  ///< "sm_80": whose registers these are; empty when they were chosen
  struct OtherGpu {
    std::string gpu, compute;
    Occupancy occupancy;
  };
  std::vector<OtherGpu> gpus;  ///< the same launch with the same registers on every GPU of the table
};

/// What ptxas made of a kernel for one architecture.
struct KernelResources {
  std::string name;          ///< as in the PTX
  std::string architecture;  ///< "sm_80"
  int registers = 0;         ///< a thread
  uint32_t static_shared_bytes = 0;
  uint32_t stack_bytes = 0;                              ///< a thread: arrays and what is kept over calls
  uint32_t spill_store_bytes = 0, spill_load_bytes = 0;  ///< a thread
  int barriers = 0;
};

/// What holds the number of blocks down, in one sentence.
std::string limit_in_words(const OccupancyQuestion& question, const Occupancy& occupancy);
/// "97 KiB" where it is whole, else "33,000 bytes".
std::string bytes_in_words(int64_t bytes);

}  // namespace warpbook
