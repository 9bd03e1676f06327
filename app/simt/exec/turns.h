#pragma once
// Turns: who runs next and for how long, by the order that was asked for; and the recording of a block's
// steps.
#include "simt/exec/state.h"

namespace warpbook::simt {

/// How many blocks run: all, or those that were asked for.
uint64_t blocks_to_run(const LaunchContext& context);
/// The block that runs as the i-th.
uint64_t block_in_order(const LaunchContext& context, uint64_t i);
/// In which order the block's warps take their turns in this round: warp number `first + i * step`.
struct WarpOrderInRound {
  size_t first = 0, step = 1;
};
WarpOrderInRound warps_in_order(BlockState& block);
/// Warp instructions of a turn.
int64_t turn_length(BlockState& block);
/// Turns may end, or steps are recorded, inside basic blocks.
bool looks_at_every_instruction(const BlockState& block);
/// Order::shuffled: at places where the order of threads can show, turns like to end.
bool turn_ends_behind(Warp& warp, const CodeFunction& function, const Inst& inst);
/// Order::shuffled: now and then another group of lanes than the one that is first in the code. -1: that one.
int other_fragment(Warp& warp);

/// Of a step that has run for `lanes`; `exited`: lanes that had left before it.
void record_step(Warp& warp, const Inst& inst, uint32_t lanes, uint32_t exited, Step step);
/// Lanes go on behind a barrier.
void record_release(Warp& warp, const Fragment& fragment);

}  // namespace warpbook::simt
