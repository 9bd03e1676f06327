// Orders of turns by a seed. Whatever the order, each warp's own instructions are the same; what can differ
// is who comes first at a store, an atomic, a flag or a barrier, so that is where shuffled turns like to end.
#include "simt/exec/turns.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <tuple>
#include <vector>

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

namespace {

/// Larger functions keep to the order of the code.
constexpr size_t most_blocks = 4096;
constexpr size_t most_groups = 8;

/// Where a basic block goes on, as far as its last instruction tells; `anywhere`: to some later block.
struct GoesOn {
  std::array<uint32_t, 2> to{};
  uint32_t count = 0;
  bool anywhere = false;
};

GoesOn goes_on(const Code& code, const CodeFunction& function, uint32_t block) {
  const BasicBlock& b = function.blocks[block];
  const Inst& last = function.instructions[b.first + b.count - 1];
  const std::string& name = code.sites[last.site].name;
  GoesOn out;
  // Inst::imm as ops/control.cpp lays it out.
  const auto target = uint32_t(last.imm), next = uint32_t(last.imm >> 32);
  if (name.rfind("bra", 0) == 0) {
    out.to[out.count++] = target;
    if (last.guard != 0) out.to[out.count++] = next;
  } else if (name == "ret" || name == "exit") {
    if (last.guard != 0) out.to[out.count++] = next;
  } else {
    out.anywhere = true;
  }
  return out;
}

/// Whether lanes at the start of block `from` may come to block `to` of the same function.
bool comes_to(const Code& code, const CodeFunction& function, uint32_t from, uint32_t to) {
  std::vector<uint8_t> seen(function.blocks.size(), 0);
  std::vector<uint32_t> open{from};
  while (!open.empty()) {
    const uint32_t block = open.back();
    open.pop_back();
    const GoesOn next = goes_on(code, function, block);
    if (next.anywhere && to > block) return true;
    for (uint32_t i = 0; i < next.count; ++i) {
      const uint32_t s = next.to[i];
      if (s == to) return true;
      if (s < seen.size() && !seen[s]) seen[s] = 1, open.push_back(s);
    }
  }
  return false;
}

/// Where lanes at the start of a block are in truth, behind blocks that only jump on.
uint32_t behind_jumps(const Code& code, const CodeFunction& function, uint32_t block) {
  while (function.blocks[block].count == 1) {
    const GoesOn next = goes_on(code, function, block);
    if (next.count != 1 || next.anywhere || next.to[0] <= block) break;
    block = next.to[0];
  }
  return block;
}

struct Group {
  uint32_t block = 0;
  int first_lane = 0;
  int fragment = 0;
};

/// The last group that no other one has still to come to: those before it in the code go first where their
/// way leads to it, as in a loop and behind a branch.
int last_in_code(Warp& warp, int first) {
  const Fragment& front = warp.fragments[size_t(first)];
  const CodeFunction& function = *front.frame->function;
  const Code& code = *warp.block->launch->code;
  if (function.blocks.size() > most_blocks) return -1;
  std::vector<Group> ready;
  for (size_t i = 0; i < warp.fragments.size(); ++i) {
    const Fragment& fragment = warp.fragments[i];
    if (fragment.state != FragmentState::ready || fragment.frame != front.frame) continue;
    if (ready.size() == most_groups) return -1;
    const uint32_t block = fragment.entered ? fragment.block : behind_jumps(code, function, fragment.block);
    ready.push_back({block, std::countr_zero(fragment.mask), int(i)});
  }
  std::sort(ready.begin(), ready.end(), [](const Group& a, const Group& b) {
    return std::make_tuple(a.block, a.first_lane) > std::make_tuple(b.block, b.first_lane);
  });
  for (size_t i = 0; i < ready.size(); ++i) {
    bool free = true;
    for (size_t k = i + 1; k < ready.size() && free; ++k) {
      free = ready[k].block != ready[i].block && !comes_to(code, function, ready[k].block, ready[i].block);
    }
    if (free) return ready[i].fragment == first ? -1 : ready[i].fragment;
  }
  return -1;
}

}  // namespace

int other_fragment(Warp& warp, int first) {
  BlockState& block = *warp.block;
  const Order order = block.launch->options.order;
  if (order == Order::reverse) return last_in_code(warp, first);
  if (order != Order::shuffled || next_random(block.random) % 4 != 0) return -1;
  std::array<int, 32> ready{};
  size_t count = 0;
  for (size_t i = 0; i < warp.fragments.size() && count < ready.size(); ++i) {
    if (warp.fragments[i].state == FragmentState::ready) ready[count++] = int(i);
  }
  return count > 1 ? ready[next_random(block.random) % count] : -1;
}

LaneTurns lane_turns(BlockState& block) {
  if (block.launch->options.order == Order::reverse) return {31, true};
  const uint64_t random = next_random(block.random);
  return {int(random % 32), (random >> 32 & 1) != 0};
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
