#pragma once
// Block barriers (PTX ISA 9.7.13.1): arrival, release, and what is wrong with who waits where.
#include "simt/exec/state.h"

namespace warpbook::simt {

/// What a barrier instruction leaves in Inst::flags.
inline constexpr uint8_t barrier_reduce_popc = 1, barrier_reduce_and = 2, barrier_reduce_or = 3;

/// Lanes of the running fragment reached a barrier, which they now wait at (state at_barrier is set).
/// Releases everybody when they were the last; false when that showed a divergent barrier (the block has then
/// faulted).
bool arrive(Warp& warp, uint32_t id, uint32_t expected_threads, uint32_t lanes);
/// bar.arrive: lanes count as arrived and do not wait. False as above.
bool arrive_only(Warp& warp, uint32_t id, uint32_t expected_threads, uint32_t lanes);
/// Lanes have exited: barriers that waited for them may be complete.
void lanes_left(Warp& warp, uint32_t lanes);

/// Nobody in the block can go on: says why (deadlock, divergent-barrier, infinite-loop). `all_blocks`: other
/// blocks were waited for too.
void diagnose_stuck(BlockState& block, bool all_blocks);

}  // namespace warpbook::simt
