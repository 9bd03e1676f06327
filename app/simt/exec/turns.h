#pragma once
// Turns: who runs next and for how long, by the order that was asked for; and the recording of a block's
// steps.
#include <bit>

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
/// Of a warp whose lanes have parted, the group that goes on, when it is another than `first`, the one that
/// is first in the code; else -1. Order::reverse: the last one that no other has still to come to, so that
/// the second branch runs before the first and both meet behind it. Order::shuffled: now and then any.
int other_fragment(Warp& warp, int first);

/// Which lane comes first where the lanes of a warp take turns at one instruction (atomics): from `first` on
/// around the warp, up or down.
struct LaneTurns {
  int first = 0;
  bool down = false;
};
LaneTurns lane_turns(BlockState& block);
/// f(lane) for each active lane, in turn. One loop for all orders: handlers are many.
template <class F>
void each_lane_in_turn(Warp& warp, F f) {
  const Order order = warp.block->launch->options.order;
  const bool plain = order == Order::forward || order == Order::round_robin;
  const LaneTurns turns = plain ? LaneTurns{} : lane_turns(*warp.block);
  const int base = turns.down ? turns.first + 1 : turns.first;  // the lane that bit 0 stands for
  for (uint32_t rest = std::rotr(warp.mask, base); rest;) {
    const int bit = turns.down ? 31 - std::countl_zero(rest) : std::countr_zero(rest);
    rest &= ~(1u << bit);
    f((bit + base) & 31);
  }
}

/// Of a step that has run for `lanes`; `exited`: lanes that had left before it.
void record_step(Warp& warp, const Inst& inst, uint32_t lanes, uint32_t exited, Step step);
/// Lanes go on behind a barrier.
void record_release(Warp& warp, const Fragment& fragment);

}  // namespace warpbook::simt
