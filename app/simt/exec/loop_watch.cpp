// Looks at loops in bursts: a snapshot, then a comparison after each of the next rounds. Bursts come at 1,024
// rounds and then at four times that each time, and last a 32nd of the rounds so far, so that a loop of any
// period is found in the end (Brent's idea) and plain loops hardly notice. Loops that poll memory are looked
// at at once.
#include "simt/exec/loop_watch.h"

#include <algorithm>
#include <cstring>

#include "simt/exec/fragments.h"

namespace warpbook::simt {
namespace {

constexpr uint64_t first_burst = 1024;
constexpr uint32_t plain_credit = 256;
constexpr uint32_t polling_credit = 16;

const FunctionPlan& plan_of(const Warp& warp, const Frame& frame) {
  return warp.worker->launch->plans[frame.function->index];
}

void take_snapshot(Warp& warp, const Fragment& fragment) {
  LoopWatch& watch = warp.watch;
  const Frame& frame = *fragment.frame;
  const uint32_t bytes = plan_of(warp, frame).registers_end;
  watch.registers.assign(frame.registers, frame.registers + bytes);
  watch.frame = &frame;
  watch.block = fragment.block;
  watch.mask = fragment.mask;
  watch.carry = warp.carry;
  watch.touched = warp.block->touched;
  watch.epoch = warp.worker->epoch;
}

bool same_registers(const Warp& warp, const Fragment& fragment) {
  const LoopWatch& watch = warp.watch;
  return watch.frame == fragment.frame && watch.block == fragment.block && watch.mask == fragment.mask &&
         watch.carry == warp.carry &&
         std::memcmp(watch.registers.data(), fragment.frame->registers, watch.registers.size()) == 0;
}

}  // namespace

void start_watch(Warp& warp) {
  LoopWatch& watch = warp.watch;
  watch.rounds = 0;
  watch.next_burst = first_burst;
  watch.burst_left = 0;
  watch.frame = nullptr;
  watch.given = warp.credit = polling_credit;
}

void watch_loop(Warp& warp, uint32_t from) {
  LoopWatch& watch = warp.watch;
  Fragment& fragment = warp.current();
  const CodeFunction& function = *fragment.frame->function;
  const bool polls = plan_of(warp, *fragment.frame).loop_polls(fragment.block, from);
  watch.rounds += watch.given;
  warp.loop_site = function.instructions[function.blocks[from].first + function.blocks[from].count - 1].site;
  if (watch.burst_left != 0) {
    --watch.burst_left;
    if (same_registers(warp, fragment)) {
      if (watch.touched == warp.block->touched && watch.epoch == warp.worker->epoch) {
        fragment.state = FragmentState::parked;
        fragment.site = warp.loop_site;
        fragment.seen_touched = watch.touched;
        fragment.seen_epoch = watch.epoch;
        warp.merge_limit = 0;
        watch.burst_left = 0;
        watch.next_burst = watch.rounds;  // once it is woken
      } else {
        watch.touched = warp.block->touched;
        watch.epoch = warp.worker->epoch;
      }
    }
  } else if (watch.rounds >= watch.next_burst || polls) {
    take_snapshot(warp, fragment);
    const uint64_t share = watch.rounds / 32;
    watch.burst_left = std::max<uint64_t>(4, polls ? std::min<uint64_t>(share, 64) : share);
    watch.next_burst = std::max(first_burst, watch.rounds * 4);
  }
  if (warp.fragments.size() > 1 && fragment.state == FragmentState::ready) {
    const uint32_t cost = watch.given * (polls ? polling_patience_cost : 1);
    if (cost >= fragment.patience) {
      fragment.state = FragmentState::yielded;
      fragment.patience = 0;
      warp.merge_limit = 0;
    } else {
      fragment.patience -= cost;
    }
  }
  const uint64_t distance = watch.next_burst > watch.rounds ? watch.next_burst - watch.rounds : 1;
  watch.given = watch.burst_left != 0 ? 1
                : polls               ? polling_credit
                                      : uint32_t(std::min<uint64_t>(distance, plain_credit));
  warp.credit = watch.given;
}

}  // namespace warpbook::simt
