// Orders of turns by a seed. Whatever the order, each warp's own instructions are the same; what can differ
// is who comes first at a store, an atomic, a flag or a barrier, so that is where shuffled turns like to end.
#include "simt/exec/turns.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "base/random.h"

namespace warpbook::simt {
namespace {

/// Well under a millisecond, so that limits and the stop flag are seen in time.
constexpr int64_t slice_instructions = 10'000;
constexpr int64_t round_robin_instructions = 8;

}  // namespace

uint64_t blocks_to_run(const LaunchContext& context) {
  return context.options.blocks.empty() ? context.launch.grid.count() : context.options.blocks.size();
}

namespace {

uint64_t place_in_order(const LaunchContext& context, uint64_t i) {
  const uint64_t count = blocks_to_run(context);
  switch (context.options.order) {
    case Order::forward:
    case Order::round_robin: return i;
    case Order::reverse: return count - 1 - i;
    case Order::shuffled: break;
  }
  // An affine step through all residues: a permutation whatever the count is.
  uint64_t state = context.options.seed;
  uint64_t step = next_random(state) % count;
  while (std::gcd(step, count) != 1) step = step + 1 < count ? step + 1 : 1;
  const uint64_t start = next_random(state) % count;
  return uint64_t((static_cast<unsigned __int128>(i) * step + start) % count);
}

}  // namespace

uint64_t block_in_order(const LaunchContext& context, uint64_t i) {
  const uint64_t place = place_in_order(context, i);
  return context.options.blocks.empty() ? place : context.options.blocks[place];
}

WarpOrderInRound warps_in_order(BlockState& block) {
  const size_t count = block.warps.size();
  WarpOrderInRound round;
  const Order order = block.launch->options.order;
  if (order == Order::reverse) {
    round = {count - 1, count - 1};
  } else if (order == Order::shuffled) {
    round.first = next_random(block.random) % count;
    round.step = next_random(block.random) % count;
    while (std::gcd(round.step, count) != 1) ++round.step;
  }
  return round;
}

int64_t turn_length(BlockState& block) {
  switch (block.launch->options.order) {
    case Order::forward:
    case Order::reverse: return slice_instructions;
    case Order::round_robin: return round_robin_instructions;
    case Order::shuffled: break;
  }
  return 64 + int64_t(next_random(block.random) % 2048);
}

bool looks_at_every_instruction(const BlockState& block) {
  return block.recorded || block.launch->options.order == Order::shuffled;
}

bool turn_ends_behind(Warp& warp, const CodeFunction& function, const Inst& inst) {
  BlockState& block = *warp.block;
  if (block.launch->options.order != Order::shuffled) return false;
  const FunctionPlan& plan = block.launch->plans[function.index];
  if (!plan.order_shows[size_t(&inst - function.instructions.data())]) return false;
  return next_random(block.random) % 4 == 0;
}

int other_fragment(Warp& warp) {
  BlockState& block = *warp.block;
  if (block.launch->options.order != Order::shuffled || next_random(block.random) % 4 != 0) return -1;
  std::array<int, 32> ready{};
  size_t count = 0;
  for (size_t i = 0; i < warp.fragments.size() && count < ready.size(); ++i) {
    if (warp.fragments[i].state == FragmentState::ready) ready[count++] = int(i);
  }
  return count > 1 ? ready[next_random(block.random) % count] : -1;
}

void record_step(Warp& warp, const Inst& inst, uint32_t lanes, uint32_t exited, Step step) {
  BlockRecording& recording = *warp.worker->recording;
  if (warp.block->launch->code->sites[inst.site].synthetic || lanes == 0) return;
  if (recording.steps.size() >= most_recorded_steps) {
    recording.complete = false;
    return;
  }
  RecordedStep s;
  s.warp = warp.index;
  s.number = warp.steps++;
  s.line = int(inst.site);  // becomes the line once the block has ended
  s.mask = lanes;
  s.live = warp.live;
  s.access = warp.step_access;
  using Event = RecordedStep::Event;
  if (step == Step::fault) {
    s.event = Event::faulted;
  } else if (warp.exited != exited) {
    s.event = Event::left;
  } else if (step == Step::wait && warp.running < warp.fragments.size()) {
    const Fragment& fragment = warp.current();
    if (fragment.state == FragmentState::at_barrier) {
      s.event = Event::waits_at_barrier;
      s.barrier = uint8_t(fragment.wait_id);
    } else if (fragment.state == FragmentState::at_sync) {
      s.event = Event::waits_for_lanes;
    } else if (fragment.state == FragmentState::ready) {
      s.mask = fragment.mask;  // others had waited here and run it with these
    }
  }
  recording.steps.push_back(s);
}

void record_release(Warp& warp, const Fragment& fragment) {
  BlockRecording& recording = *warp.worker->recording;
  if (recording.steps.size() >= most_recorded_steps) {
    recording.complete = false;
    return;
  }
  RecordedStep s;
  s.warp = warp.index;
  s.number = warp.steps++;
  s.event = RecordedStep::Event::released;
  s.barrier = uint8_t(fragment.wait_id);
  s.line = int(fragment.site);
  s.mask = fragment.mask;
  s.live = warp.live;
  recording.steps.push_back(s);
}

}  // namespace warpbook::simt
