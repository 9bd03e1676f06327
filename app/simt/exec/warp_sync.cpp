// Lanes that wait for each other at one instruction become one fragment and execute it once.
#include "simt/exec/warp_sync.h"

#include <fmt/format.h>

#include <bit>

#include "simt/exec/diagnose.h"
#include "simt/exec/fragments.h"
#include "simt/exec/frames.h"

namespace warpbook::simt {
namespace {

/// Marks fragments at a bar.warp.sync among those in state at_sync.
constexpr uint32_t warp_barrier = 0x100;
/// Of fragments that wait in an activation of their own and take part in what another one executes.
constexpr uint32_t guest = 0x200;

/// Lanes among `lanes` whose own mask does not name them.
uint32_t not_members(uint32_t lanes, const uint32_t* members) {
  uint32_t common = ~0u;
  for (int lane = 0; lane < 32; ++lane) common &= members[lane];
  if (common == ~0u) return 0;
  uint32_t bad = 0;
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    if ((members[lane] >> lane & 1) == 0) bad |= 1u << lane;
  }
  return bad;
}

Gathered wrong_mask(Warp& warp, const Inst& inst, uint32_t bad, const uint32_t* members, const char* access) {
  Diagnosis d = diagnosis_at(warp, inst.site, bad, "warp-mask", access);
  const uint32_t mask = members[std::countr_zero(bad)];
  const bool one = std::popcount(bad) == 1;
  d.message = fmt::format("{} {} call{} this with the member mask 0x{:08x}, which does not name {}.",
                          one ? "Lane" : "Lanes", lanes_text(bad), one ? "s" : "", mask, one ? "it" : "them");
  d.hint =
      "The mask must name every lane that executes the call: 0xffffffff when the whole warp does, else what "
      "__ballot_sync gave before the branch.";
  report(*warp.worker, std::move(d));
  return Gathered::fault;
}

uint32_t members_of(uint32_t lanes, const uint32_t* members) {
  uint32_t needed = 0;
  for (uint32_t rest = lanes; rest; rest &= rest - 1) needed |= members[std::countr_zero(rest)];
  return needed;
}

/// The lanes' masks of an instruction that runs together().
const uint32_t* mask_slot(const Frame& frame, const Inst& inst) {
  return reinterpret_cast<const uint32_t*>(frame.registers + inst.d);
}

/// Tells the race rules who has met: lanes that named the same members.
void order_members(Warp& warp, uint32_t group, const uint32_t* members) {
  if (warp.worker->launch->options.level != Level::check) return;
  for (uint32_t rest = warp.mask; rest;) {
    const uint32_t named = members[std::countr_zero(rest)];
    uint32_t same = 0;
    for (uint32_t other = rest; other; other &= other - 1) {
      const int lane = std::countr_zero(other);
      if (members[lane] == named) same |= 1u << lane;
    }
    sync_lanes(warp, (named & group) | same);
    rest &= ~same;
  }
}

}  // namespace

Gathered gather(Warp& warp, const Inst& inst, const uint32_t* members, const char* access) {
  const uint32_t executing = warp.mask;
  if (const uint32_t bad = not_members(executing, members))
    return wrong_mask(warp, inst, bad, members, access);
  if (executing == warp.live) return Gathered::here;
  Frame& frame = *warp.active->frame;
  const uint32_t here = index_of(*frame.function, inst);
  const auto waits_here = [&](const Fragment& other) {
    return &other != warp.active && other.state == FragmentState::at_sync && other.inst == here &&
           other.frame->function == frame.function;
  };
  // Who must take part, with those that wait here already.
  uint32_t group = executing, named = members_of(executing, members);
  for (bool grown = true; grown && (named & warp.live & ~group);) {
    grown = false;
    for (const Fragment& other : warp.fragments) {
      if (!waits_here(other) || !(other.mask & named & ~group)) continue;
      group |= other.mask;
      named |= members_of(other.mask, mask_slot(*other.frame, inst));
      grown = true;
    }
  }
  const uint32_t missing = named & warp.live & ~group;
  if (!missing) {
    if (group == executing) return Gathered::here;
    for (uint32_t i = 0; i < warp.fragments.size();) {
      Fragment& other = warp.fragments[i];
      const bool takes_part =
          i != warp.running && other.state == FragmentState::at_sync && (other.mask & group);
      if (takes_part && other.frame == &frame) {
        absorb(warp, i);
      } else {
        if (takes_part) {
          // Lanes that called the function apart from these have registers of their own.
          other.wait_id = guest;
          swap_lanes(*frame.function, other.frame->registers, frame.registers, other.mask);
        }
        ++i;
      }
    }
    warp.active = &warp.current();
    warp.fragment_mask = warp.active->mask;
    set_mask(warp, group);
    return Gathered::joined;
  }
  // Some lanes may be complete among themselves (tiles of a warp): they need not wait for the others.
  uint32_t complete = 0;
  for (uint32_t rest = executing; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    if ((members[lane] & warp.live & ~executing) == 0) complete |= 1u << lane;
  }
  if (complete != 0) {
    // A lane can be complete only together with the lanes that it names.
    for (uint32_t rest = complete; rest; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      if (members[lane] & warp.live & ~complete) complete &= ~(1u << lane);
    }
  }
  if (complete != 0) {
    const uint32_t others = part_inside(warp, executing & ~complete, here);
    warp.active = &warp.current();
    Fragment& waiting = warp.fragments[others];
    waiting.state = FragmentState::at_sync;
    waiting.site = inst.site;
    waiting.wait_id = 0;
    waiting.wait_mask = missing;
    warp.fragment_mask = warp.active->mask;
    set_mask(warp, complete);
    return Gathered::joined;
  }
  Fragment& fragment = *warp.active;
  fragment.state = FragmentState::at_sync;
  fragment.inst = here;
  fragment.site = inst.site;
  fragment.wait_id = 0;
  fragment.wait_mask = missing;
  return Gathered::wait;
}

Step finish_joined(Warp& warp, const Inst& inst) {
  const Frame& frame = *warp.active->frame;
  for (Fragment& other : warp.fragments) {
    if (other.state != FragmentState::at_sync || other.wait_id != guest) continue;
    swap_lanes(*frame.function, frame.registers, other.frame->registers, other.mask);
    other.state = FragmentState::ready;
    other.wait_id = 0;
    ++other.inst;
  }
  warp.active->state = FragmentState::ready;
  warp.active->inst = index_of(*warp.active->frame->function, inst) + 1;
  return Step::wait;
}

Step sync_warp(Warp& warp, const Inst& inst, const uint32_t* members) {
  const uint32_t executing = warp.mask;
  if (const uint32_t bad = not_members(executing, members)) {
    wrong_mask(warp, inst, bad, members, "barrier");
    return Step::fault;
  }
  if (executing == warp.live) {
    order_members(warp, executing, members);
    return Step::next;
  }
  uint32_t group = executing;
  uint32_t needed = members_of(executing, members) & warp.live;
  for (bool grown = true; grown && (needed & ~group);) {
    grown = false;
    for (const Fragment& other : warp.fragments) {
      if (&other != warp.active && other.state == FragmentState::at_sync && other.wait_id == warp_barrier &&
          (other.mask & needed & ~group)) {
        group |= other.mask;
        needed |= other.wait_mask & warp.live;
        grown = true;
      }
    }
  }
  const uint32_t here = index_of(*warp.active->frame->function, inst);
  if ((needed & ~group) == 0) {
    order_members(warp, group, members);
    if (group == executing) return Step::next;
    for (Fragment& other : warp.fragments) {
      if (&other != warp.active && other.state == FragmentState::at_sync && (other.mask & group)) {
        other.state = FragmentState::ready;
        ++other.inst;
      }
    }
    if (executing != warp.fragment_mask) {  // guarded: the rest goes on at the same place
      warp.merge_limit = 0;
      return Step::next;
    }
    return finish_joined(warp, inst);
  }
  Fragment& fragment = *warp.active;
  fragment.state = FragmentState::at_sync;
  fragment.inst = here;
  fragment.site = inst.site;
  fragment.wait_id = warp_barrier;
  fragment.wait_mask = members_of(executing, members);
  return Step::wait;
}

Step inactive_source(Warp& warp, const Inst& inst, uint32_t readers, int reader, int source) {
  Diagnosis d = diagnosis_at(warp, inst.site, readers, "shuffle-inactive-lane", "shuffle");
  const bool gone = (warp.live >> source & 1) == 0;
  d.message = fmt::format("Lane {} reads the value of lane {}, which {}.", reader, source,
                          (warp.exited >> source & 1) ? "has left the kernel"
                          : gone                      ? "is no thread of the block"
                                                      : "does not take part in this call");
  d.hint =
      "What such a lane gives is undefined; let every lane that is read execute the same call, or read only "
      "lanes "
      "that do.";
  report(*warp.worker, std::move(d));
  return Step::fault;
}

Step lanes_missing(Warp& warp, const Inst& inst, uint32_t lanes) {
  Diagnosis d = diagnosis_at(warp, inst.site, warp.mask, "warp-mask", "shuffle");
  d.message = fmt::format("All 32 lanes of a warp work on a matrix together, but {} {} {}.",
                          std::has_single_bit(lanes) ? "lane" : "lanes", lanes_text(lanes),
                          (warp.exited & lanes) == lanes ? "left the kernel before"
                          : (warp.live & lanes) == 0     ? "are no threads of the block"
                                                         : "do not take part");
  d.hint = "Launch blocks of a multiple of 32 threads, and let whole warps reach this call.";
  report(*warp.worker, std::move(d));
  return Step::fault;
}

}  // namespace warpbook::simt
