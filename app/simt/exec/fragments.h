#pragma once
// The fragments of a warp: lanes that are at one place in the code. They part at branches, meet again at the
// start of basic blocks, and the one that is deepest in calls and then earliest in the code runs first, so
// that the others can catch up with it (emulator notes 6.3).
#include "simt/exec/state.h"

namespace warpbook::simt {

/// Backward branches that a fragment may take before it gives way to the others of its warp. Long, because
/// lanes that leave a plain loop early do wait for the rest on a GPU; a loop that polls memory gives way
/// after 64 rounds.
inline constexpr uint32_t full_patience = 16384;
inline constexpr uint32_t polling_patience_cost = full_patience / 64;

/// Picks the fragment to run, merges the others at its place into it and sets Warp::merge_limit; false when
/// none can run now.
bool choose(Warp& warp);

/// Takes `lanes` out of the running fragment and puts them at the start of a basic block of the same frame,
/// with others that are there already. Never all lanes of the fragment.
void part(Warp& warp, uint32_t lanes, uint32_t block);
/// The same in the middle of the running fragment's basic block, at instruction `inst`; returns the new
/// fragment's index.
uint32_t part_inside(Warp& warp, uint32_t lanes, uint32_t inst);
/// Adds fragment `other` to the running one, which is at the same instruction inside a basic block.
void absorb(Warp& warp, uint32_t other);
void remove_fragment(Warp& warp, uint32_t index);

/// A conditional branch whose lanes went both ways: `taken` go to basic block `target`, the rest to `next`.
void branch_apart(Warp& warp, const Inst& inst, uint32_t taken, uint32_t target, uint32_t next);

/// Lanes leave the kernel at `inst`; other lanes of the running fragment go on at basic block `next`.
void leave_kernel(Warp& warp, const Inst& inst, uint32_t lanes, uint32_t next);

/// Counts of the rest of a basic block, from an instruction on, see InstructionCount.
void correct_tail(Warp& warp, const CodeFunction& function, uint32_t inst, int64_t warps, int64_t lanes);

bool counting(const Worker& worker);

}  // namespace warpbook::simt
