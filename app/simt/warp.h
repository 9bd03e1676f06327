#pragma once
// The state of one warp while it runs. Everything is explicit, so a warp suspends by being left alone: no
// fibres.
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "simt/code.h"

namespace warpbook::simt {

struct BlockState;  // a resident block: shared memory, barriers, its warps (simt/exec)
struct Worker;      // a worker thread's state: memory caches, counters, printf (simt/exec)

/// One activation of a function by a group of lanes: their registers. Lanes that diverge before a call get
/// frames of their own; lanes that diverge inside share one.
struct Frame {
  const CodeFunction* function = nullptr;
  std::byte* registers = nullptr;
  Frame* caller = nullptr;
  uint32_t return_block = 0;  ///< block of the caller to go on with
  uint32_t depth = 0;
  uint32_t lanes = 0;       ///< lanes that have not returned yet
  uint32_t local_base = 0;  ///< this activation's bytes in each lane's local memory
  uint32_t stack_bytes =
      0;  ///< what recursion has charged to the call stack so far, this activation included
  const Inst* call = nullptr;  ///< the call that made it; null for the kernel's own
};

/// `yielded`: gave way to the warp's other fragments. `parked`: a round of its loop changed nothing, so it
/// cannot go on before somebody writes to memory.
enum class FragmentState : uint8_t { ready, at_barrier, at_sync, yielded, sleeping, parked };

/// Lanes of a warp at one place in the code. One fragment in the common case.
struct Fragment {
  Frame* frame = nullptr;
  uint32_t mask = 0;
  uint32_t block = 0;  ///< basic block index in frame->function
  uint32_t inst = 0;   ///< instruction index to go on with; read only when `entered`
  FragmentState state = FragmentState::ready;
  bool entered = false;       ///< it stopped inside its basic block (at `inst`), which is counted already
  uint32_t wait_mask = 0;     ///< at_sync: members waited for
  uint32_t wait_id = 0;       ///< at_barrier: barrier number
  uint32_t wait_count = 0;    ///< at_barrier: threads expected, 0 = the whole block
  uint32_t site = 0;          ///< where it waits
  uint64_t wake = 0;          ///< sleeping: scheduler round
  uint64_t seen_touched = 0;  ///< parked: BlockState::touched and Worker::epoch when it was
  uint64_t seen_epoch = 0;
  uint32_t patience = 0;  ///< backward branches left before it gives way to others of its warp
};

/// Looks for rounds of a loop that change nothing (exec/loop_watch): a snapshot of the registers at a loop
/// header, to compare with after each of the next rounds.
struct LoopWatch {
  uint64_t rounds = 0;      ///< backward branches so far
  uint64_t next_burst = 0;  ///< when to take the next snapshot
  uint64_t burst_left = 0;  ///< rounds still to compare with it
  std::vector<std::byte> registers;
  const Frame* frame = nullptr;
  uint32_t block = 0, mask = 0, carry = 0;
  uint64_t touched = 0, epoch = 0;
  uint32_t given = 0;  ///< what Warp::credit was last set to
};

struct Warp {
  // What handlers touch on every instruction comes first.
  std::byte* frame = nullptr;  ///< registers of the running fragment
  uint32_t mask = 0;           ///< lanes that execute the current instruction
  uint32_t fragment_mask = 0;  ///< lanes of the running fragment (mask without the guard)
  Worker* worker = nullptr;
  BlockState* block = nullptr;
  Fragment* active = nullptr;  ///< the running fragment, while it runs: branches set its `block`
  alignas(64) std::array<uint32_t, 32> lane_mask{};  ///< ~0 for each lane of `mask`, else 0; kept with `mask`
  // Control flow and the rest.
  std::vector<Fragment> fragments;
  uint32_t running = 0;  ///< index of the running fragment
  uint32_t index = 0;    ///< warp number in the block
  uint32_t live = 0;     ///< lanes that have not exited
  uint32_t exited = 0;   ///< lanes that have
  uint32_t carry = 0;    ///< condition code register of the extended-precision instructions, a bit a lane
  uint64_t clock = 0;  ///< warp instructions of the basic blocks that are behind it: %clock counts from here
  /// A running fragment that reaches this basic block or a later one must look at the others; 0 = at the next
  /// leader, whatever it is (the set of fragments, its mask or its frame changed).
  uint32_t merge_limit = 0;
  bool moved = false;   ///< a fragment ran in this slice
  uint32_t credit = 1;  ///< backward branches until LoopWatch wants to look
  LoopWatch watch;
  uint64_t thread_instructions = 0, warp_instructions = 0;  ///< levels measure and check
  uint32_t printed = 0;                                     ///< printf calls so far, for their order
  uint32_t steps = 0;                                       ///< recorded so far, when its block is
  int32_t step_access = -1;                                 ///< of the step that runs
  uint32_t loop_site = 0;                                   ///< the last backward branch that was looked at
  std::array<uint32_t, 32> exit_site{};                     ///< where each exited lane left
  Frame* kernel_frame = nullptr;  ///< stays with the warp when a worker uses it for its next block
  Fragment& current() { return fragments[running]; }
};

/// Sets `mask` and its lane vector together.
void set_mask(Warp& warp, uint32_t mask);

/// Level check of a debug build: `lanes` use a register that nothing has written in them (uninit-read).
void note_unwritten_register(Warp& warp, const Inst& inst, uint32_t lanes, uint32_t register_index);

/// Level check: an integer division whose divisor is zero in `lanes` (warning `div-by-zero`).
void note_division_by_zero(Warp& warp, const Inst& inst, uint32_t lanes);

}  // namespace warpbook::simt
