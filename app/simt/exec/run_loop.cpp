// A warp runs straight through a basic block's instructions; everything else is looked at where a block
// starts: the slice, the other fragments (one comparison while there is nothing to see), the counters. The
// loop is built three times: level run has no counters in it, and the third looks after every instruction,
// for recordings and for orders that change in the middle of a basic block.
#include "simt/exec/run_loop.h"

#include <bit>

#include "simt/access/worker.h"
#include "simt/exec/barriers.h"
#include "simt/exec/fragments.h"
#include "simt/exec/loop_watch.h"
#include "simt/exec/trace.h"
#include "simt/exec/turns.h"

namespace warpbook::simt {
namespace {

/// A guarded instruction that does not end its block: runs for the lanes whose guard holds.
template <bool Counting>
Step run_guarded(Warp& warp, const Inst& inst) {
  const uint32_t all = warp.fragment_mask;
  uint32_t lanes = *reinterpret_cast<const uint32_t*>(warp.frame + inst.guard);
  if (inst.guard_negated) lanes = ~lanes;
  lanes &= all;
  if constexpr (Counting) {
    if (lanes != all) {
      const CodeFunction& function = *warp.current().frame->function;
      const auto off = uint64_t(std::popcount(all ^ lanes));
      warp.worker->details[function.index][size_t(&inst - function.instructions.data())].lanes_off += off;
      warp.thread_instructions -= off;
    }
  }
  if (lanes == 0) return Step::next;
  if (lanes == all) return all == ~0u ? inst.full(warp, inst) : inst.masked(warp, inst);
  set_mask(warp, lanes);
  const Step step = inst.masked(warp, inst);
  set_mask(warp, warp.fragment_mask);
  if (step == Step::wait && warp.current().state != FragmentState::ready) {
    // Only these lanes wait; the others go on behind the instruction.
    const CodeFunction& function = *warp.current().frame->function;
    const FragmentState state = warp.current().state;
    const uint32_t others =
        part_inside(warp, warp.current().mask & ~lanes, uint32_t(&inst - function.instructions.data()) + 1);
    warp.fragments[others].state = FragmentState::ready;
    warp.current().state = state;
  }
  return step;
}

/// The running fragment stopped inside its basic block. False: the block has faulted.
bool settle_wait(Warp& warp) {
  Fragment& fragment = warp.current();
  fragment.entered = true;
  warp.merge_limit = 0;
  if (fragment.state == FragmentState::at_barrier) {
    return arrive(warp, fragment.wait_id, fragment.wait_count, fragment.mask);
  }
  return true;
}

/// Lanes that the instruction runs for.
uint32_t lanes_of(const Warp& warp, const Inst& inst) {
  if (inst.guard == 0) return warp.fragment_mask;
  const uint32_t bits = *reinterpret_cast<const uint32_t*>(warp.frame + inst.guard);
  return (inst.guard_negated ? ~bits : bits) & warp.fragment_mask;
}

/// One instruction, looked at afterwards. `ends`: the turn ends behind it.
template <bool Counting>
Step run_carefully(Warp& warp, const Inst& inst, bool is_last, bool& ends) {
  const bool jumps = is_last || inst.guard == 0;
  const uint32_t lanes = lanes_of(warp, inst);
  const uint32_t exited = warp.exited;
  const CodeFunction& function = *warp.current().frame->function;
  warp.step_access = -1;
  const Step step = !jumps                      ? run_guarded<Counting>(warp, inst)
                    : warp.fragment_mask == ~0u ? inst.full(warp, inst)
                                                : inst.masked(warp, inst);
  if (warp.block->recorded) record_step(warp, inst, lanes, exited, step);
  ends = step == Step::next && turn_ends_behind(warp, function, inst);
  return step;
}

uint32_t lane_count(uint32_t mask) { return mask == ~0u ? 32 : uint32_t(std::popcount(mask)); }

/// Somebody wants to see the accesses of this slice one by one.
bool is_watched(const Warp& warp, bool traced) {
  const RunOptions& options = warp.worker->launch->options;
  return traced || warp.block->recorded ||
         (options.record && options.record->second == warp.index &&
          options.record->first == warp.block->index);
}

template <bool Counting, bool Careful = false>
SliceEnd run(Warp& warp, int64_t& left) {
  const bool traced = Counting && trace_slice(warp);
  if (Counting) warp.worker->memory->watched = is_watched(warp, traced);
  for (Fragment& fragment : warp.fragments) {
    if (fragment.state == FragmentState::sleeping) fragment.state = FragmentState::ready;
  }
  Worker& worker = *warp.worker;
  for (;;) {
    if (warp.block->faulted) return SliceEnd::faulted;
    if (warp.fragments.empty()) return SliceEnd::finished;
    if (!choose(warp)) {
      for (const Fragment& fragment : warp.fragments) {
        if (fragment.state == FragmentState::sleeping) return SliceEnd::sleeps;
      }
      return SliceEnd::waits;
    }
    warp.moved = true;
    Fragment* const fragment = &warp.current();
    const CodeFunction& function = *fragment->frame->function;
    const Inst* const base = function.instructions.data();
    const BasicBlock* const blocks = function.blocks.data();
    const uint32_t mask = fragment->mask;
    const bool full = mask == ~0u;
    const auto active = uint64_t(lane_count(mask));
    BlockCount* const counts = Counting ? worker.counts[function.index].data() : nullptr;
    warp.frame = fragment->frame->registers;
    warp.fragment_mask = mask;
    warp.active = fragment;
    set_mask(warp, mask);

    uint32_t block = fragment->block;
    const Inst* inst = base + (fragment->entered ? fragment->inst : 0);
    bool inside = fragment->entered;
    fragment->entered = false;
    for (;;) {
      if (!inside) {
        const BasicBlock& leader = blocks[block];
        inst = base + leader.first;
        if (left <= 0) {
          fragment->block = block;
          return SliceEnd::used_up;
        }
        left -= leader.counted;
        if constexpr (Counting) {
          ++counts[block].warps;
          counts[block].lanes += active;
          warp.warp_instructions += leader.counted;
          warp.thread_instructions += leader.counted * active;
          if (traced) [[unlikely]]
            trace_basic_block(warp, function, block, mask);
        }
      }
      inside = false;
      const Inst* const last = base + blocks[block].first + blocks[block].count - 1;
      Step step = Step::next;
      if constexpr (Careful) {
        for (bool ends = false;; ++inst) {
          step = run_carefully<Counting>(warp, *inst, inst == last, ends);
          if (inst == last || step != Step::next) break;
          if (!ends) continue;
          Fragment& here = warp.current();
          here.block = block;
          here.inst = uint32_t(inst - base) + 1;
          here.entered = true;
          return SliceEnd::used_up;
        }
      } else if (full) {
        for (; inst != last; ++inst) {
          step = inst->guard == 0 ? inst->full(warp, *inst) : run_guarded<Counting>(warp, *inst);
          if (step != Step::next) break;
        }
        if (inst == last) step = inst->full(warp, *inst);
      } else {
        for (; inst != last; ++inst) {
          step = inst->guard == 0 ? inst->masked(warp, *inst) : run_guarded<Counting>(warp, *inst);
          if (step != Step::next) break;
        }
        if (inst == last) step = inst->masked(warp, *inst);
      }
      if (step == Step::jump) [[likely]] {
        warp.clock += blocks[block].counted;
        const uint32_t from = block;
        block = fragment->block;
        if (warp.merge_limit == 0) break;  // parted, called, returned, left
        if (block <= from) {
          if (--warp.credit == 0) {
            watch_loop(warp, from);
            if (warp.merge_limit == 0) break;
          }
        }
        if (block >= warp.merge_limit) break;
        continue;
      }
      if (step == Step::wait) {
        if (!settle_wait(warp)) return SliceEnd::faulted;
        break;
      }
      // A fault: what stands behind it in the block did not run.
      const auto behind = uint32_t(inst - base) + 1;
      if (behind < function.instructions.size() && inst != last) {
        correct_tail(warp, function, behind, 1, int64_t(active));
      }
      warp.block->faulted = true;
      return SliceEnd::faulted;
    }
  }
}

}  // namespace

SliceEnd run_slice(Warp& warp, int64_t& instructions) {
  if (looks_at_every_instruction(*warp.block)) {
    return counting(*warp.worker) ? run<true, true>(warp, instructions)
                                  : run<false, true>(warp, instructions);
  }
  return counting(*warp.worker) ? run<true>(warp, instructions) : run<false>(warp, instructions);
}

}  // namespace warpbook::simt
