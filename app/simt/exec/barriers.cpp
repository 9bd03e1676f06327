// Block barriers count warps: a warp has arrived when all its lanes that have not exited have, and then
// counts as 32 threads (PTX ISA 9.7.13.1). The counters of a barrier name no place in the code, so on a GPU
// two different
// __syncthreads() can release each other; that is an error in the program, and it is found when it happens.
#include "simt/exec/barriers.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "simt/access/allocation.h"
#include "simt/access/launch.h"
#include "simt/exec/diagnose.h"
#include "simt/exec/fragments.h"
#include "simt/exec/turns.h"

namespace warpbook::simt {
namespace {

const Inst& waiting_instruction(const Fragment& fragment) {
  // The fragment goes on behind it.
  return fragment.frame->function->instructions[fragment.inst - 1];
}

struct Waiter {
  Warp* warp;
  Fragment* fragment;
};

std::vector<Waiter> waiters_at(BlockState& block, uint32_t id) {
  std::vector<Waiter> found;
  for (const auto& warp : block.warps) {
    for (Fragment& fragment : warp->fragments) {
      if (fragment.state == FragmentState::at_barrier && fragment.wait_id == id) {
        found.push_back({warp.get(), &fragment});
      }
    }
  }
  return found;
}

/// Linear thread numbers of the waiters on one line, and the site of the first.
struct Group {
  int line = 0;
  uint32_t site = 0;
  std::vector<uint32_t> threads;
};

std::vector<Group> groups_by_line(const Code& code, const std::vector<Waiter>& waiters) {
  std::vector<Group> groups;
  for (const Waiter& waiter : waiters) {
    const uint32_t site = waiter.fragment->site;
    const int line = line_of(code, site);
    auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& g) {
      return line != 0 ? g.line == line : g.line == 0 && g.site == site;
    });
    if (group == groups.end()) group = groups.insert(groups.end(), {line, site, {}});
    for (uint32_t rest = waiter.fragment->mask; rest; rest &= rest - 1) {
      group->threads.push_back(waiter.warp->index * 32 + uint32_t(std::countr_zero(rest)));
    }
  }
  for (Group& group : groups) std::sort(group.threads.begin(), group.threads.end());
  std::sort(groups.begin(), groups.end(),
            [](const Group& a, const Group& b) { return a.threads.front() < b.threads.front(); });
  return groups;
}

std::string threads_text(const Group& group) {
  return (group.threads.size() == 1 ? "thread " : "threads ") + ranges_of(group.threads);
}
std::string line_text(const Group& group) {
  return group.line ? fmt::format("line {}", group.line) : "a place without a source line";
}

Diagnosis barrier_diagnosis(BlockState& block, const Group& group, std::string kind) {
  Diagnosis d;
  d.kind = std::move(kind);
  d.access = "barrier";
  place(d, *block.launch->code, group.site);
  d.block = block.index;
  d.threads = ranges_of(group.threads);
  d.count = group.threads.size();
  return d;
}

Dim3 thread_number(const BlockState& block, uint32_t linear) {
  return thread_of(block, linear / 32, int(linear % 32));
}

void report_different_places(BlockState& block, const std::vector<Group>& groups) {
  Diagnosis d = barrier_diagnosis(block, groups[0], "divergent-barrier");
  d.message = fmt::format("In one block {} wait at the barrier of {} while {} wait at another one, of {}.",
                          threads_text(groups[0]), line_text(groups[0]), threads_text(groups[1]),
                          line_text(groups[1]));
  d.hint = "Every thread of the block must reach the same __syncthreads(): move it out of the branch.";
  d.other = Diagnosis::Other{groups[1].line, "barrier", block.index,
                             thread_number(block, groups[1].threads.front())};
  report(*block.worker, std::move(d));
  block.faulted = true;
}

void report_exited(BlockState& block, const Group& group) {
  Group left;
  for (const auto& warp : block.warps) {
    for (uint32_t rest = warp->exited; rest; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      if (left.threads.empty()) left.site = warp->exit_site[size_t(lane)];
      left.threads.push_back(warp->index * 32 + uint32_t(lane));
    }
  }
  left.line = line_of(*block.launch->code, left.site);
  Diagnosis d = barrier_diagnosis(block, group, "divergent-barrier");
  d.message = fmt::format("{} of the block {} left the kernel ({}) before the barrier of {} that {} wait at.",
                          left.threads.size() == 1 ? "Thread" : "Threads", ranges_of(left.threads),
                          line_text(left), line_text(group), threads_text(group));
  d.hint =
      "Let every thread of the block reach __syncthreads(): guard the work with an if instead of returning "
      "early.";
  d.other = Diagnosis::Other{left.line, "exit", block.index, thread_number(block, left.threads.front())};
  report(*block.worker, std::move(d));
  block.faulted = true;
}

void write_reduction(const Barrier& barrier, Fragment& fragment) {
  const Inst& inst = waiting_instruction(fragment);
  std::byte* const registers = fragment.frame->registers;
  if (inst.flags == barrier_reduce_popc) {
    auto* slot = reinterpret_cast<uint32_t*>(registers + inst.dst);
    for (uint32_t rest = fragment.mask; rest; rest &= rest - 1) slot[std::countr_zero(rest)] = barrier.ones;
  } else if (inst.flags != 0) {
    auto* bits = reinterpret_cast<uint32_t*>(registers + inst.dst);
    const bool value = inst.flags == barrier_reduce_and ? barrier.ones == barrier.lanes : barrier.ones != 0;
    *bits = value ? *bits | fragment.mask : *bits & ~fragment.mask;
  }
}

void reset(Barrier& barrier) {
  std::fill(barrier.arrived.begin(), barrier.arrived.end(), 0u);
  barrier.complete_warps = barrier.expected_threads = barrier.ones = barrier.lanes = 0;
  barrier.split_phase = false;
}

/// The common case: every warp is whole and waits at the same place. False: it is another case.
bool release_whole_warps(BlockState& block, uint32_t id) {
  Barrier& barrier = block.barriers[id];
  if (barrier.expected_threads != 0 || barrier.split_phase || block.exited_threads != 0 || block.recorded)
    return false;
  const uint32_t site = block.warps[0]->fragments.empty() ? 0 : block.warps[0]->fragments[0].site;
  for (const auto& warp : block.warps) {
    if (warp->fragments.size() != 1) return false;
    const Fragment& fragment = warp->fragments[0];
    if (fragment.state != FragmentState::at_barrier || fragment.wait_id != id || fragment.site != site)
      return false;
  }
  for (const auto& warp : block.warps) {
    Fragment& fragment = warp->fragments[0];
    write_reduction(barrier, fragment);
    fragment.state = FragmentState::ready;
    warp->merge_limit = 0;
  }
  pass_whole_barrier(block);
  reset(barrier);
  return true;
}

/// Releases the barrier when everybody it waits for is there. False: divergent.
bool release_if_complete(BlockState& block, uint32_t id) {
  Barrier& barrier = block.barriers[id];
  const uint32_t needed = barrier.expected_threads ? (barrier.expected_threads + 31) / 32 : block.live_warps;
  if (barrier.complete_warps == 0 || barrier.complete_warps < needed) return true;
  if (release_whole_warps(block, id)) return true;
  std::vector<Waiter> waiters = waiters_at(block, id);
  if (!waiters.empty() && barrier.expected_threads == 0 && !barrier.split_phase) {
    const uint32_t first = waiters.front().fragment->site;
    const bool differ = std::any_of(waiters.begin(), waiters.end(),
                                    [&](const Waiter& waiter) { return waiter.fragment->site != first; });
    if (differ || block.exited_threads != 0) {
      const std::vector<Group> groups = groups_by_line(*block.launch->code, waiters);
      if (groups.size() > 1) {
        report_different_places(block, groups);
        return false;
      }
      if (block.exited_threads != 0) {
        report_exited(block, groups.front());
        return false;
      }
    }
  }
  std::vector<uint32_t> waiting(block.warps.size(), 0);
  uint32_t threads = 0;
  for (const Waiter& waiter : waiters) {
    write_reduction(barrier, *waiter.fragment);
    waiter.fragment->state = FragmentState::ready;
    waiter.warp->merge_limit = 0;
    if (block.recorded) record_release(*waiter.warp, *waiter.fragment);
    waiting[waiter.warp->index] |= waiter.fragment->mask;
    threads += uint32_t(std::popcount(waiter.fragment->mask));
  }
  pass_barrier(block, id, waiting, threads == block.threads);
  reset(barrier);
  return true;
}

bool add(Warp& warp, uint32_t id, uint32_t expected, uint32_t lanes) {
  BlockState& block = *warp.block;
  Barrier& barrier = block.barriers[id];
  block.used_barriers |= 1u << id;
  if (barrier.arrived.size() != block.warps.size()) barrier.arrived.assign(block.warps.size(), 0);
  barrier.expected_threads = std::max(barrier.expected_threads, expected);
  uint32_t& arrived = barrier.arrived[warp.index];
  arrived |= lanes;
  if ((arrived & warp.live) == warp.live) {
    ++barrier.complete_warps;
    ++warp.worker->barriers;
  }
  return release_if_complete(block, id);
}

std::vector<Waiter> all_in_state(BlockState& block, FragmentState state) {
  std::vector<Waiter> found;
  for (const auto& warp : block.warps) {
    for (Fragment& fragment : warp->fragments) {
      if (fragment.state == state) found.push_back({warp.get(), &fragment});
    }
  }
  return found;
}

/// The loop that a parked fragment stands at the head of asks memory again and again.
bool polls(const BlockState& block, const Fragment& fragment) {
  const CodeFunction& function = *fragment.frame->function;
  for (uint32_t b = fragment.block; b < function.blocks.size(); ++b) {
    const auto& last = function.instructions[function.blocks[b].first + function.blocks[b].count - 1];
    if (last.site == fragment.site) return block.launch->plans[function.index].loop_polls(fragment.block, b);
  }
  return false;
}

/// The kernel read memory that the host reaches as well (managed, mapped), and one who waits asks memory
/// again and again: on a GPU the host goes on meanwhile and may write what ends the loop.
bool host_may_end(const BlockState& block, const std::vector<Waiter>& spinning) {
  bool host_sees = false;
  block.launch->memory->memory->each_live(
      [&](const Allocation& a) { host_sees = host_sees || (a.visible && a.loaded); });
  return host_sees && std::any_of(spinning.begin(), spinning.end(),
                                  [&](const Waiter& w) { return polls(block, *w.fragment); });
}

/// Nobody of the launch can go on, and somebody outside it might have helped.
void report_wait_for_host(BlockState& block, const Group& group) {
  Diagnosis d = barrier_diagnosis(block, group, "unsupported");
  d.access = "loop";
  d.thread = thread_number(block, group.threads.front());
  d.message = fmt::format(
      "The loop of {} waits for memory that the host reaches too. On a GPU the host goes on while the kernel "
      "waits; here a kernel runs to its end before the host goes on, and no other thread ends this loop.",
      line_text(group));
  d.hint =
      "If the host ends the loop while the kernel runs, this program needs a GPU; if nobody does, it never "
      "ends there either.";
  report(*block.worker, std::move(d));
}

}  // namespace

bool arrive(Warp& warp, uint32_t id, uint32_t expected, uint32_t lanes) {
  const Inst& inst = waiting_instruction(warp.current());
  if (inst.flags != 0) {
    const uint32_t bits = *reinterpret_cast<const uint32_t*>(warp.current().frame->registers + inst.c);
    const uint32_t ones = (inst.extra & 1 ? ~bits : bits) & lanes;
    warp.block->barriers[id].ones += uint32_t(std::popcount(ones));
    warp.block->barriers[id].lanes += uint32_t(std::popcount(lanes));
  }
  return add(warp, id, expected, lanes);
}

bool arrive_only(Warp& warp, uint32_t id, uint32_t expected, uint32_t lanes) {
  warp.block->barriers[id].split_phase = true;
  arrive_at_barrier(warp, id, lanes);
  return add(warp, id, expected, lanes);
}

void lanes_left(Warp& warp, uint32_t lanes) {
  BlockState& block = *warp.block;
  block.exited_threads += uint32_t(std::popcount(lanes));
  if (warp.live == 0) --block.live_warps;
  for (uint32_t used = block.used_barriers; used && !block.faulted; used &= used - 1) {
    const auto id = uint32_t(std::countr_zero(used));
    Barrier& barrier = block.barriers[id];
    const uint32_t arrived = barrier.arrived[warp.index];
    // Complete now, and was not while these lanes were alive.
    if (warp.live != 0 && (arrived & warp.live) == warp.live && (arrived & lanes) != lanes) {
      ++barrier.complete_warps;
      ++warp.worker->barriers;
    }
    release_if_complete(block, id);
  }
}

void diagnose_stuck(BlockState& block, bool all_blocks) {
  const Code& code = *block.launch->code;
  block.faulted = true;
  const std::vector<Waiter> spinning = all_in_state(block, FragmentState::parked);
  if (!spinning.empty()) {
    // What they wait for may be what a block that was stopped would have written: its own error tells enough.
    if (all_blocks && block.worker->faulted_blocks != 0) return;
    const bool for_host = all_blocks && host_may_end(block, spinning);
    for (const Group& group : groups_by_line(code, spinning)) {
      if (for_host) {
        report_wait_for_host(block, group);
        continue;
      }
      Diagnosis d = barrier_diagnosis(block, group, "infinite-loop");
      d.access = "loop";
      d.thread = thread_number(block, group.threads.front());
      d.message = fmt::format(
          "The loop of {} never ends: a round of it changes nothing that its exit depends on, and {}.",
          line_text(group),
          all_blocks ? "every other thread has finished or waits as well"
                     : "no other thread can change it any more");
      d.hint =
          "Look for the write that should end the loop: a lock that is never released, a flag that nobody "
          "sets, "
          "or a condition that does not change inside the loop.";
      report(*block.worker, std::move(d));
    }
    return;
  }
  const std::vector<Waiter> at_barrier = all_in_state(block, FragmentState::at_barrier);
  std::vector<Waiter> all = all_in_state(block, FragmentState::at_sync);
  if (all.empty() && !at_barrier.empty()) {
    const uint32_t id = at_barrier.front().fragment->wait_id;
    const bool same_barrier = std::all_of(at_barrier.begin(), at_barrier.end(), [&](const Waiter& waiter) {
      return waiter.fragment->wait_id == id && waiter.fragment->wait_count == 0;
    });
    const std::vector<Group> groups = groups_by_line(code, at_barrier);
    if (same_barrier && groups.size() > 1) {
      report_different_places(block, groups);
      return;
    }
  }
  all.insert(all.end(), at_barrier.begin(), at_barrier.end());
  if (all.empty()) return;
  const std::vector<Group> groups = groups_by_line(code, all);
  Diagnosis d = barrier_diagnosis(block, groups.front(), "deadlock");
  d.message = "Nobody in the block can go on: ";
  for (size_t i = 0; i < groups.size(); ++i) {
    if (i != 0) d.message += i + 1 == groups.size() ? " and " : ", ";
    d.message += fmt::format("{} wait{} at {}", threads_text(groups[i]),
                             groups[i].threads.size() == 1 ? "s" : "", line_text(groups[i]));
  }
  d.message += ".";
  d.hint =
      "Each waits for threads that wait elsewhere or have left; all threads that a barrier or a mask names "
      "must "
      "reach the same call.";
  d.thread = thread_number(block, groups.front().threads.front());
  const bool at_sync = std::any_of(all.begin(), all.end(), [&](const Waiter& waiter) {
    return waiter.fragment->site == groups.front().site && waiter.fragment->state == FragmentState::at_sync;
  });
  if (at_sync) d.access = "shuffle";
  if (groups.size() > 1) {
    d.other = Diagnosis::Other{groups[1].line, "barrier", block.index,
                               thread_number(block, groups[1].threads.front())};
  }
  report(*block.worker, std::move(d));
}

}  // namespace warpbook::simt
