#pragma once
// What a launch, a worker and a resident block are made of.
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simt/access/access.h"
#include "simt/code.h"
#include "simt/emulator.h"
#include "simt/warp.h"

namespace warpbook::simt {

/// Special registers that handlers find in a frame.
enum class Special : uint8_t {
  tid_x,
  tid_y,
  tid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  laneid,
  warpid,
  smid,
  lanemask_eq,
  lanemask_lt,
  lanemask_le,
  lanemask_gt,
  lanemask_ge,
  local_address
};

/// How a launch runs one function: its frame with everything filled in that is the same for all warps, and
/// what is not.
struct FunctionPlan {
  struct Fill {
    Special special;
    bool wide = false;
    uint32_t offset = 0;
    uint64_t bits = 0;  ///< local_address: offset in the activation's local bytes
  };
  std::vector<std::byte> image;  ///< frame_bytes
  uint32_t registers_end = 0;    ///< the image's first byte that is no register
  std::vector<Fill> fills;
  std::vector<uint32_t> polls;  ///< by block: polling instructions in the blocks before it
  /// By instruction: the order of threads can show there (stores, atomics, volatile loads, warp exchange).
  std::vector<uint8_t> order_shows;
  bool ready = false;

  /// True when a loop over these basic blocks asks memory again and again (volatile and relaxed loads, cas,
  /// exch).
  bool loop_polls(uint32_t first, uint32_t last) const { return polls[last + 1] != polls[first]; }
};

/// Shared by all workers of a launch.
struct LaunchContext {
  Instance* instance = nullptr;
  const Code* code = nullptr;
  const CodeFunction* kernel = nullptr;
  Launch launch;
  GpuRow gpu;
  RunOptions options;
  std::vector<std::byte> parameters;  ///< the kernel's parameter bytes, laid out as PTX says
  MemoryLaunchPtr memory;
  std::vector<FunctionPlan> plans;  ///< by CodeFunction::index; those that the kernel can reach are ready
  std::string unknown_symbol;       ///< one that the code names and declares nowhere, or empty
  uint32_t local_bytes = 0;         ///< a thread: every chain of calls without recursion, and the call stack
  bool communicating = false;       ///< blocks can see each other
  bool ends_when_suspicious = false;  ///< the first sign of a race ends this run: another follows
  std::atomic<uint64_t> next_block{0};
  std::atomic<bool> halt{false};         ///< stop flag, limit or restart: tested between slices
  std::atomic<bool> out_of_time{false};  ///< the instruction or time limit was reached
  std::atomic<bool> cancelled{false};
  std::atomic<uint64_t> instructions{0};  ///< warp instructions of finished slices
  std::chrono::steady_clock::time_point started;
};

/// Executions of one basic block; a site's own counts follow, as every instruction of a block runs as often
/// as it.
struct BlockCount {
  uint64_t warps = 0, lanes = 0;
};

/// What makes one instruction differ from its basic block.
struct InstructionCount {
  int64_t tail_warps = 0,
          tail_lanes = 0;  ///< to take off from here to the end of the block: a fault, two groups that
                           ///< became one in the middle; negative when one became two
  uint64_t lanes_off = 0;  ///< lanes that its guard switched off
  uint64_t divergent = 0;  ///< branches: lanes went both ways
};

struct Worker {
  LaunchContext* launch = nullptr;
  uint32_t number = 0;
  MemoryWorkerPtr memory;
  std::vector<std::vector<BlockCount>> counts;         ///< [function][basic block], levels measure and check
  std::vector<std::vector<InstructionCount>> details;  ///< [function][instruction]
  std::vector<Diagnosis> found;                        ///< from the execution side: barriers, loops, asserts
  struct Printed {
    uint64_t block;
    uint32_t warp;
    uint64_t order;
    std::string text;
  };
  std::vector<Printed> printed;
  uint64_t printed_bytes = 0;
  uint64_t threads = 0, blocks = 0, warps = 0, barriers = 0;
  uint64_t least_in_block = ~uint64_t(0), most_in_block = 0;  ///< warp instructions of a block
  std::vector<WarpCounters> per_warp;
  uint64_t faulted_blocks = 0;  ///< stopped by an error of their own
  uint64_t uncounted = 0;       ///< warp instructions that LaunchContext::instructions does not hold yet
  /// Since this worker last looked at the clock and the stop flag; its first slice does.
  uint32_t slices = 1u << 20;
  std::optional<BlockRecording> recording;
  uint64_t epoch = 0;  ///< grows when a block that this worker ran changed memory

  // Frames and blocks to use again.
  struct FrameDeleter {
    void operator()(Frame* frame) const;
  };
  std::vector<std::unique_ptr<Frame, FrameDeleter>> frames;  ///< owns all that it made
  std::vector<std::vector<Frame*>> free_frames;              ///< by function
  std::vector<std::unique_ptr<BlockState>> free_blocks;

  Worker();
  ~Worker();
};

/// One of a block's 16 barriers (PTX ISA 9.7.13.1). A warp has arrived when all its lanes that have not
/// exited have.
struct Barrier {
  std::vector<uint32_t> arrived;  ///< by warp: lanes
  uint32_t complete_warps = 0;
  uint32_t expected_threads = 0;  ///< 0 = the whole block
  bool split_phase = false;       ///< a bar.arrive took part
  uint32_t ones = 0, lanes = 0;   ///< bar.red: predicates that were true, and how many were asked
};

/// A resident block.
struct BlockState {
  LaunchContext* launch = nullptr;
  Worker* worker = nullptr;
  Dim3 index;
  uint64_t number = 0;  ///< linear, x fastest
  BlockMemory memory;
  std::vector<std::unique_ptr<Warp>> warps;
  uint32_t threads = 0;
  uint32_t live_warps = 0;  ///< with a lane that has not exited
  uint32_t exited_threads = 0;
  bool faulted = false;       ///< its remaining warps do not run on
  uint64_t touched = 0;       ///< grows with every write or atomic that changes a byte in
                              ///< global, shared or local memory (one that stores what is there
                              ///< already is no progress): what loop detection goes by
  uint64_t touched_seen = 0;  ///< what Worker::epoch has heard of
  std::array<Barrier, 16> barriers;
  uint32_t used_barriers = 0;  ///< a bit each that somebody came to
  uint64_t random = 0;         ///< state of Order::shuffled
  bool recorded = false;       ///< its every step is kept in Worker::recording
  bool traced = false;         ///< sampled for the timing model
};

/// Thread index in its block of a warp's lane.
Dim3 thread_of(const BlockState& block, uint32_t warp, int lane);

/// Fills file, line, column from a site's source point (the learner's own line when the code was inlined from
/// a header), and block and thread.
void place(Diagnosis& diagnosis, const Code& code, uint32_t site);

}  // namespace warpbook::simt
