#pragma once
// What a launch, a worker and a resident block are made of.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "simt/access/access.h"
#include "simt/code.h"
#include "simt/emulator.h"
#include "simt/warp.h"

namespace warpbook::simt {

/// Shared by all workers of a launch.
struct LaunchContext {
  Instance* instance = nullptr;
  const Code* code = nullptr;
  const CodeFunction* kernel = nullptr;
  Launch launch;
  GpuRow gpu;
  RunOptions options;
  std::vector<std::byte> parameters;       ///< the kernel's parameter bytes, laid out as PTX says
  MemoryLaunchPtr memory;
  std::atomic<uint64_t> next_block{0};
  std::atomic<bool> halt{false};           ///< stop flag, limit or restart: tested at block leaders
  std::atomic<uint64_t> instructions{0};   ///< warp instructions of finished slices
  std::chrono::steady_clock::time_point started;
};

/// Executions of one basic block; a site's own counts follow, as every instruction of a block runs as often as it.
struct BlockCount {
  uint64_t warps = 0, lanes = 0;
};

struct Worker {
  LaunchContext* launch = nullptr;
  uint32_t number = 0;
  MemoryWorkerPtr memory;
  std::vector<std::vector<BlockCount>> counts;    ///< [function][basic block], levels measure and check
  std::vector<Diagnosis> found;                   ///< from the execution side: barriers, loops, asserts
  struct Printed { uint64_t block; uint32_t warp; uint64_t order; std::string text; };
  std::vector<Printed> printed;
};

/// What a handler leaves behind when it returns Step::fault.
struct BlockState {
  LaunchContext* launch = nullptr;
  Worker* worker = nullptr;
  Dim3 index;
  uint64_t number = 0;                     ///< linear, x fastest
  BlockMemory memory;
  std::vector<std::unique_ptr<Warp>> warps;
  uint32_t threads = 0;
  bool faulted = false;                    ///< its remaining warps do not run on
  uint64_t touched = 0;                    ///< grows with every global write, atomic and barrier: progress for loop detection
};

/// Thread index in its block of a warp's lane.
Dim3 thread_of(const BlockState& block, uint32_t warp, int lane);

/// Fills file, line, column from a site's source point (the learner's own line when the code was inlined from a
/// header), and block and thread.
void place(Diagnosis& diagnosis, const Code& code, uint32_t site);

}  // namespace warpbook::simt
