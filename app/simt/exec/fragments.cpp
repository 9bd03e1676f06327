// Parting and meeting of fragments.
#include "simt/exec/fragments.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>

#include "simt/exec/barriers.h"
#include "simt/exec/frames.h"
#include "simt/exec/turns.h"

namespace warpbook::simt {
namespace {

/// Eight lanes' masks for each byte of a warp mask.
constexpr auto lane_masks = [] {
  std::array<std::array<uint32_t, 8>, 256> table{};
  for (size_t bits = 0; bits < 256; ++bits) {
    for (size_t i = 0; i < 8; ++i) table[bits][i] = (bits >> i & 1) ? ~0u : 0u;
  }
  return table;
}();

bool may_meet(const Fragment& fragment) {
  return fragment.state == FragmentState::ready || fragment.state == FragmentState::yielded ||
         fragment.state == FragmentState::parked;
}

bool same_place(const Fragment& a, const Fragment& b) {
  return a.frame == b.frame && a.block == b.block && a.entered == b.entered &&
         (!a.entered || a.inst == b.inst);
}

/// Deepest call first, then the earliest place.
bool before(const Fragment& a, const Fragment& b) {
  if (a.frame->depth != b.frame->depth) return a.frame->depth > b.frame->depth;
  if (a.block != b.block) return a.block < b.block;
  const uint32_t at_a = a.entered ? a.inst : 0;
  const uint32_t at_b = b.entered ? b.inst : 0;
  if (at_a != at_b) return at_a < at_b;
  return std::countr_zero(a.mask) < std::countr_zero(b.mask);
}

}  // namespace

void set_mask(Warp& warp, uint32_t mask) {
  if (warp.mask == mask) return;
  warp.mask = mask;
  for (size_t i = 0; i < 4; ++i) {
    std::memcpy(warp.lane_mask.data() + 8 * i, lane_masks[mask >> (8 * i) & 0xff].data(), 32);
  }
}

bool counting(const Worker& worker) { return worker.launch->options.level != Level::run; }

void correct_tail(Warp& warp, const CodeFunction& function, uint32_t inst, int64_t warps, int64_t lanes) {
  if (!counting(*warp.worker)) return;
  InstructionCount& count = warp.worker->details[function.index][inst];
  count.tail_warps += warps;
  count.tail_lanes += lanes;
  const BasicBlock& block = function.blocks[function.block_of[inst]];
  const uint32_t counted_end = block.first + block.counted;
  if (inst >= counted_end) return;
  const int64_t left = counted_end - inst;
  warp.warp_instructions -= uint64_t(warps * left);
  warp.thread_instructions -= uint64_t(lanes * left);
}

void remove_fragment(Warp& warp, uint32_t index) {
  const auto last = uint32_t(warp.fragments.size() - 1);
  if (index != last) warp.fragments[index] = warp.fragments[last];
  if (warp.running == last) warp.running = index;
  warp.fragments.pop_back();
}

bool choose(Warp& warp) {
  auto& fragments = warp.fragments;
  if (fragments.size() == 1 && fragments[0].state == FragmentState::ready) {
    if (warp.running != 0 || fragments[0].patience == 0) fragments[0].patience = full_patience;
    warp.running = 0;
    warp.merge_limit = ~0u;
    return true;
  }
  const uint64_t touched = warp.block->touched;
  const uint64_t epoch = warp.worker->epoch;
  bool yielded = false;
  int best = -1;
  for (int round = 0; round < 2 && best < 0; ++round) {
    for (size_t i = 0; i < fragments.size(); ++i) {
      Fragment& fragment = fragments[i];
      if (fragment.state == FragmentState::parked &&
          (fragment.seen_touched != touched || fragment.seen_epoch != epoch)) {
        fragment.state = FragmentState::ready;
        warp.credit = 1;  // look again soon: most often it goes on waiting
        warp.watch.given = 1;
      }
      if (round == 1 && fragment.state == FragmentState::yielded) fragment.state = FragmentState::ready;
      yielded |= fragment.state == FragmentState::yielded;
      if (fragment.state != FragmentState::ready) continue;
      if (best < 0 || before(fragment, fragments[size_t(best)])) best = int(i);
    }
    if (!yielded) break;
  }
  if (best < 0) return false;
  if (fragments.size() > 1) {
    if (const int other = other_fragment(warp, best); other >= 0) best = other;
  }
  if (uint32_t(best) != warp.running || fragments[size_t(best)].patience == 0) {
    fragments[size_t(best)].patience = full_patience;
  }
  warp.running = uint32_t(best);
  uint32_t limit = ~0u;
  if (fragments.size() > 1) {
    for (uint32_t i = 0; i < fragments.size();) {
      Fragment& chosen = warp.current();
      Fragment& other = fragments[i];
      if (i == warp.running || !may_meet(other)) {
        ++i;
      } else if (same_place(chosen, other)) {
        if (chosen.entered) correct_tail(warp, *chosen.frame->function, chosen.inst, 1, 0);
        chosen.mask |= other.mask;
        remove_fragment(warp, i);
      } else {
        if (other.frame->depth == chosen.frame->depth) limit = std::min(limit, other.block);
        ++i;
      }
    }
  }
  warp.merge_limit = limit;
  return true;
}

void part(Warp& warp, uint32_t lanes, uint32_t block) {
  const Fragment& current = warp.current();
  Fragment fresh;
  fresh.frame = current.frame;
  fresh.mask = lanes;
  fresh.block = block;
  warp.current().mask &= ~lanes;
  assert(warp.current().mask != 0);
  warp.merge_limit = 0;
  for (uint32_t i = 0; i < warp.fragments.size(); ++i) {
    Fragment& other = warp.fragments[i];
    if (i != warp.running && may_meet(other) && same_place(other, fresh)) {
      other.mask |= lanes;
      return;
    }
  }
  warp.fragments.push_back(fresh);
}

uint32_t part_inside(Warp& warp, uint32_t lanes, uint32_t inst) {
  Fragment fresh = warp.current();
  fresh.mask = lanes;
  fresh.inst = inst;
  fresh.entered = true;
  fresh.state = FragmentState::ready;
  warp.current().mask &= ~lanes;
  assert(warp.current().mask != 0);
  correct_tail(warp, *fresh.frame->function, inst, -1, 0);
  warp.merge_limit = 0;
  warp.fragments.push_back(fresh);
  return uint32_t(warp.fragments.size() - 1);
}

void absorb(Warp& warp, uint32_t other) {
  correct_tail(warp, *warp.current().frame->function, warp.fragments[other].inst, 1, 0);
  warp.current().mask |= warp.fragments[other].mask;
  remove_fragment(warp, other);
  warp.merge_limit = 0;
}

void branch_apart(Warp& warp, const Inst& inst, uint32_t taken, uint32_t target, uint32_t next) {
  Fragment& current = warp.current();
  const CodeFunction& function = *current.frame->function;
  if (counting(*warp.worker)) {
    ++warp.worker->details[function.index][size_t(&inst - function.instructions.data())].divergent;
  }
  const uint32_t rest = current.mask & ~taken;
  if (target < next) {
    current.block = target;
    part(warp, rest, next);
  } else {
    current.block = next;
    part(warp, taken, target);
  }
}

void leave_kernel(Warp& warp, const Inst& inst, uint32_t lanes, uint32_t next) {
  Fragment& current = warp.current();
  for (Frame* frame = current.frame; frame;) {
    Frame* const caller = frame->caller;
    frame->lanes &= ~lanes;
    if (frame->lanes == 0 && caller) give_frame(*warp.worker, frame);
    frame = caller;
  }
  if (lanes == ~0u) {
    warp.exit_site.fill(inst.site);
  } else {
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
      warp.exit_site[size_t(std::countr_zero(rest))] = inst.site;
  }
  warp.live &= ~lanes;
  warp.exited |= lanes;
  if (current.mask == lanes) {
    remove_fragment(warp, warp.running);
  } else {
    current.mask &= ~lanes;
    current.block = next;
  }
  warp.merge_limit = 0;
  // Those that wait for the lanes that left must look again.
  for (Fragment& fragment : warp.fragments) {
    if (fragment.state == FragmentState::at_sync) fragment.state = FragmentState::ready;
  }
  lanes_left(warp, lanes);
}

}  // namespace warpbook::simt
