#pragma once
// The state of one warp while it runs. Everything is explicit, so a warp suspends by being left alone: no fibres.
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "simt/code.h"

namespace warpbook::simt {

struct BlockState;   // a resident block: shared memory, barriers, its warps (simt/exec)
struct Worker;       // a worker thread's state: memory caches, counters, printf (simt/exec)

/// One activation of a function by a group of lanes: their registers. Lanes that diverge before a call get frames of
/// their own; lanes that diverge inside share one.
struct Frame {
  const CodeFunction* function = nullptr;
  std::byte* registers = nullptr;
  Frame* caller = nullptr;
  uint32_t return_block = 0;      ///< block of the caller to go on with
  uint32_t depth = 0;
  uint32_t lanes = 0;             ///< lanes that have not returned yet
  uint32_t local_base = 0;        ///< this activation's bytes in each lane's local memory
};

enum class FragmentState : uint8_t { ready, at_barrier, at_sync, yielded, sleeping };

/// Lanes of a warp at one place in the code. One fragment in the common case.
struct Fragment {
  Frame* frame = nullptr;
  uint32_t mask = 0;
  uint32_t block = 0;             ///< basic block index in frame->function
  uint32_t inst = 0;              ///< instruction index to go on with
  FragmentState state = FragmentState::ready;
  uint32_t wait_mask = 0;         ///< at_sync: members waited for
  uint32_t wait_id = 0;           ///< at_barrier: barrier number
  uint32_t wait_count = 0;        ///< at_barrier: threads expected, 0 = the whole block
  uint32_t site = 0;              ///< where it waits
  uint64_t wake = 0;              ///< sleeping: scheduler round
};

struct Warp {
  // What handlers touch on every instruction comes first.
  std::byte* frame = nullptr;     ///< registers of the running fragment
  uint32_t mask = 0;              ///< lanes that execute the current instruction
  uint32_t fragment_mask = 0;     ///< lanes of the running fragment (mask without the guard)
  Worker* worker = nullptr;
  BlockState* block = nullptr;
  alignas(64) std::array<uint32_t, 32> lane_mask{};  ///< ~0 for each lane of `mask`, else 0; kept with `mask`
  // Control flow and the rest.
  std::vector<Fragment> fragments;
  uint32_t running = 0;           ///< index of the running fragment
  uint32_t index = 0;             ///< warp number in the block
  uint32_t live = 0;              ///< lanes that have not exited
  uint32_t exited = 0;            ///< lanes that have
  Fragment& current() { return fragments[running]; }
};

/// Sets `mask` and its lane vector together.
void set_mask(Warp& warp, uint32_t mask);

}  // namespace warpbook::simt
