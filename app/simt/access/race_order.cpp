// Events and what they order: barriers, warp syncs, fences with flags and atomics, waits for asynchronous
// copies.
#include <algorithm>
#include <bit>

#include "simt/access/race.h"
#include "simt/exec/state.h"

namespace warpbook::simt {
namespace {

RaceState* state_of(const BlockState& block) {
  return block.memory.order ? block.worker->memory->launch->race.get() : nullptr;
}

bool checking(const BlockState& block) { return block.worker->memory->launch->level == Level::check; }

/// Everything that is ordered before a lane's next instruction, its own past up to `own` included.
Clock full_clock(const RaceState& state, const BlockOrder& block, uint32_t warp, int lane, Clock extra,
                 Tick block_base, Tick warp_base, Tick own) {
  Clock clock = join(block.known, extra);
  clock = with(clock, state.shape.block(block.number), block_base);
  clock = with(clock, state.shape.warp(block.number, warp), warp_base);
  return with(clock, state.shape.lane(block.number, warp, lane), own);
}

Clock extra_of(const WarpOrder& order, int lane) {
  return order.extras ? order.extras->known[size_t(lane)] : nullptr;
}

/// What a lane has read by atomics and flags and no fence has made known yet.
Clock take_read(WarpExtras& extras, size_t lane) {
  return join(std::exchange(extras.read_device[lane], nullptr),
              std::exchange(extras.read_in_block[lane], nullptr));
}

template <class F>
void each_lane(uint32_t lanes, F f) {
  for (; lanes; lanes &= lanes - 1) f(std::countr_zero(lanes));
}

/// What a fence left, as a clock; null without a fence.
Clock released(const RaceState& state, const BlockOrder& block, uint32_t warp, int lane,
               const WarpExtras::Fence& fence) {
  if (!fence.any) return nullptr;
  return full_clock(state, block, warp, lane, fence.known, fence.block_base, fence.warp_base, fence.own);
}

bool any_narrow(const RaceState& state) { return state.narrow_fences || state.narrow_flags; }

void drop_waiting(RaceState& state, const BlockOrder& block, uint32_t warp, int lane) {
  if (!state.waiting.empty()) state.waiting.erase({block.number, thread_number(warp, lane)});
}

/// A group of threads that wait for each other, not the whole block: each learns what all know.
void meet(RaceState& state, BlockOrder& block, const std::vector<uint32_t>& lanes_of, Clock together) {
  const Tick now = ++state.now;
  Clock narrow;
  for (uint32_t w = 0; w < lanes_of.size(); ++w) {
    WarpOrder& order = block.warps[w];
    each_lane(lanes_of[w], [&](int lane) {
      together = join(together, extra_of(order, lane));
      if (order.extras) together = join(together, take_read(*order.extras, size_t(lane)));
      if (any_narrow(state) && order.extras) narrow = join(narrow, order.extras->narrow[size_t(lane)]);
      together = with(together, state.shape.warp(block.number, w), order.base);
      together = with(together, state.shape.lane(block.number, w, lane), now);
    });
  }
  for (uint32_t w = 0; w < lanes_of.size(); ++w) {
    if (!lanes_of[w]) continue;
    WarpOrder& order = block.warps[w];
    ++order.version;
    each_lane(lanes_of[w], [&](int lane) {
      order.stamp[size_t(lane)] = now;
      order.more().known[size_t(lane)] = together;
      if (any_narrow(state)) order.more().narrow[size_t(lane)] = narrow;
    });
  }
}

}  // namespace

void start_order(BlockState& block) {
  MemoryLaunch& launch = *block.worker->memory->launch;
  if (!launch.race) {
    block.memory.order.reset();
    return;
  }
  block.memory.order.reset(new BlockOrder);
  BlockOrder& order = *block.memory.order;
  order.number = block.number;
  order.warps.resize((block.threads + 31) / 32);
  // Nothing that a block does can be ordered before it begins.
  for (WarpOrder& warp : order.warps) warp.stamp.fill(launch.race->now);
  order.base = launch.race->now;
  order.cells.resize((launch.total_bytes + 3) / 4);
}

void pass_barrier(BlockState& block, uint32_t id, const std::vector<uint32_t>& waiting, bool whole_block) {
  if (whole_block) {
    pass_whole_barrier(block);
  } else if (RaceState* state = state_of(block)) {
    BlockOrder& order = *block.memory.order;
    meet(*state, order, waiting, std::exchange(order.arrived[id], nullptr));
  }
}

void pass_whole_barrier(BlockState& block) {
  if (!checking(block)) return;
  BlockMemory& memory = block.memory;
  memory.block_base = ++memory.now;
  memory.warp_base.clear();
  RaceState* state = state_of(block);
  if (!state) return;
  BlockOrder& order = *memory.order;
  const Tick now = ++state->now;
  order.base = now;
  for (WarpOrder& warp : order.warps) {
    ++warp.version;
    warp.stamp.fill(now);
    warp.base = now;
    if (!warp.extras) continue;
    for (Clock& known : warp.extras->known) order.known = join(order.known, std::exchange(known, nullptr));
    // A barrier behind an atomic acquires what that has read, as a fence does: last-block sums rely on it.
    for (size_t lane = 0; lane < 32; ++lane) order.known = join(order.known, take_read(*warp.extras, lane));
    if (!any_narrow(*state)) continue;
    for (Clock& narrow : warp.extras->narrow)
      order.narrow = join(order.narrow, std::exchange(narrow, nullptr));
  }
  // All that the block did in shared memory is behind its threads now.
  if (order.history.records.size() > 1) {
    std::fill(order.cells.begin(), order.cells.end(), Cell{});
    order.history.clear();
    keep_pending_copies(block);
  }
}

void arrive_at_barrier(Warp& warp, uint32_t id, uint32_t lanes) {
  RaceState* state = state_of(*warp.block);
  if (!state) return;
  BlockOrder& block = *warp.block->memory.order;
  WarpOrder& order = block.warps[warp.index];
  const Tick now = ++state->now;
  ++order.version;
  each_lane(lanes, [&](int lane) {
    order.stamp[size_t(lane)] = now;
    block.arrived[id] =
        join(block.arrived[id],
             full_clock(*state, block, warp.index, lane, extra_of(order, lane), block.base, order.base, now));
  });
}

void sync_lanes(Warp& warp, uint32_t lanes) {
  if (!checking(*warp.block)) return;
  BlockMemory& memory = warp.block->memory;
  const bool whole = lanes == warp.live && warp.exited == 0;
  if (whole) {
    if (memory.warp_base.empty()) memory.warp_base.assign(warp.block->warps.size(), memory.block_base);
    memory.warp_base[warp.index] = ++memory.now;
  }
  RaceState* state = state_of(*warp.block);
  if (!state) return;
  BlockOrder& block = *memory.order;
  WarpOrder& order = block.warps[warp.index];
  if (!whole) {
    std::vector<uint32_t> lanes_of(block.warps.size());
    lanes_of[warp.index] = lanes;
    meet(*state, block, lanes_of, nullptr);
    return;
  }
  const Tick now = ++state->now;
  order.base = now;
  order.stamp.fill(now);
  ++order.version;
  if (!order.extras) return;
  Clock together;
  for (const Clock& known : order.extras->known) together = join(together, known);
  for (size_t lane = 0; lane < 32; ++lane) together = join(together, take_read(*order.extras, lane));
  order.extras->known.fill(together);
  if (!any_narrow(*state)) return;
  Clock narrow_together;
  for (const Clock& narrow : order.extras->narrow) narrow_together = join(narrow_together, narrow);
  order.extras->narrow.fill(narrow_together);
}

void pass_fence(Warp& warp, uint32_t lanes, Scope scope) {
  RaceState* state = state_of(*warp.block);
  if (!state) return;
  BlockOrder& block = *warp.block->memory.order;
  WarpOrder& order = block.warps[warp.index];
  WarpExtras& more = order.more();
  const Tick now = ++state->now;
  ++order.version;
  each_lane(lanes, [&](int l) {
    const auto lane = size_t(l);
    order.stamp[lane] = now;
    Clock& known = more.known[lane];
    known = join(known, std::exchange(more.read_in_block[lane], nullptr));
    if (scope == Scope::device) {
      known = join(known, std::exchange(more.read_device[lane], nullptr));
    } else if (more.read_device[lane]) {
      state->narrow_fences = true;
      more.narrow[lane] = join(more.narrow[lane], more.read_device[lane]);
    }
    const WarpExtras::Fence fence{true, known, block.base, order.base, now};
    more.block_fence[lane] = fence;
    if (scope == Scope::device) more.device_fence[lane] = fence;
    drop_waiting(*state, block, warp.index, l);
  });
}

void exchange_order(Warp& warp, const Access& access, int l) {
  RaceState& state = *warp.worker->memory->launch->race;
  BlockOrder& block = *warp.block->memory.order;
  WarpOrder& order = block.warps[warp.index];
  const auto lane = size_t(l);
  const Address address = access.address[l];
  const bool shared = address >= shared_window;
  auto& flags = shared ? block.flags : state.flags;
  const Ordering how = access.ordering;
  if (access.kind != AccessKind::write) {
    const auto found = flags.find(address);
    if (found != flags.end()) {
      const Location& flag = found->second;
      Clock device = how.scope == Scope::device ? flag.device : nullptr;
      Clock in_block = flag.block == block.number ? flag.in_block : nullptr;
      WarpExtras& more = order.more();
      if (how.acquire) {
        more.known[lane] = join(more.known[lane], join(device, in_block));
        drop_waiting(state, block, warp.index, l);
      } else {
        more.read_device[lane] = join(more.read_device[lane], device);
        more.read_in_block[lane] = join(more.read_in_block[lane], in_block);
      }
      if (how.scope == Scope::block && flag.device && flag.block != block.number) {
        state.narrow_flags = true;
        more.narrow[lane] = join(more.narrow[lane], flag.device);
      }
      if (flag.narrow) more.narrow[lane] = join(more.narrow[lane], flag.narrow);
    }
  }
  if (access.kind == AccessKind::read) return;
  Clock device, in_block, narrow;
  if (how.release) {
    const Tick now = ++state.now;
    order.stamp[lane] = now;
    ++order.version;
    in_block = full_clock(state, block, warp.index, l, extra_of(order, l), block.base, order.base, now);
    if (how.scope == Scope::device) device = in_block;
  } else if (order.extras) {
    in_block = released(state, block, warp.index, l, order.extras->block_fence[lane]);
    if (how.scope == Scope::device)
      device = released(state, block, warp.index, l, order.extras->device_fence[lane]);
    const WarpExtras& more = *order.extras;
    if (in_block && more.block_fence[lane].own > more.device_fence[lane].own) {
      state.narrow_fences = true;
      narrow = in_block;
    }
  }
  if (in_block && how.scope == Scope::block) {
    state.narrow_flags = true;
    narrow = in_block;
  }
  const auto found = flags.find(address);
  if (access.kind == AccessKind::atomic && found != flags.end()) {
    // A read-modify-write goes on with what the write that it read has released.
    Location& flag = found->second;
    flag.device = join(flag.device, device);
    flag.in_block = flag.block == block.number ? join(flag.in_block, in_block) : in_block;
    flag.block = block.number;
    flag.narrow = join(flag.narrow, narrow);
  } else if (device || in_block) {
    flags[address] = Location{device, block.number, in_block, narrow};
  } else if (found != flags.end()) {
    flags.erase(found);
  }
}

bool is_before(const AccessRecord& record, int record_lane, const History& history, Warp& warp, int lane,
               Trust trust) {
  const BlockOrder& block = *warp.block->memory.order;
  const WarpOrder& order = block.warps[warp.index];
  if (record.pending >> record_lane & 1) return false;
  const Tick stamp =
      record.stamps >= 0 ? history.stamps[size_t(record.stamps)][size_t(record_lane)] : record.stamp;
  if (record.block == block.number) {
    if (record.warp == warp.index && record_lane == lane) return true;
    if (stamp < block.base) return true;
    if (record.warp == warp.index && stamp < order.base) return true;
  }
  Clock extra = extra_of(order, lane);
  if (trust == Trust::both_volatile && order.extras) {
    extra =
        join(extra, join(order.extras->read_device[size_t(lane)], order.extras->read_in_block[size_t(lane)]));
  }
  if (trust == Trust::any_scope) {
    extra = join(extra, block.narrow);
    if (order.extras) extra = join(extra, order.extras->narrow[size_t(lane)]);
  }
  if (!extra && !block.known) return false;
  const ClockPath path =
      warp.worker->memory->launch->race->shape.lane(record.block, record.warp, record_lane);
  const Tick seen = std::max(known(block.known, path), known(extra, path));
  return trust == Trust::handed_over ? seen >= stamp : seen > stamp;
}

void commit_copies(Warp& warp, uint32_t lanes) {
  if (!state_of(*warp.block)) return;
  WarpExtras& more = warp.block->memory.order->warps[warp.index].more();
  each_lane(lanes, [&](int lane) { ++more.commits[size_t(lane)]; });
}

void wait_for_copies(Warp& warp, uint32_t lanes, uint32_t groups_left, bool all) {
  if (!state_of(*warp.block)) return;
  BlockOrder& block = *warp.block->memory.order;
  WarpOrder& order = block.warps[warp.index];
  if (!order.extras) return;
  WarpExtras& more = *order.extras;
  for (AsyncCopy& copy : more.copies) {
    AccessRecord& record = block.history.records[copy.record];
    each_lane(copy.lanes & lanes, [&](int l) {
      const auto lane = size_t(l);
      const bool done = all || copy.group[lane] + groups_left < more.commits[lane];
      if (!done) return;
      copy.lanes &= ~(1u << l);
      record.pending &= ~(1u << l);
      block.history.stamps[size_t(record.stamps)][lane] = order.stamp[lane];
    });
  }
  std::erase_if(more.copies, [](const AsyncCopy& copy) { return copy.lanes == 0; });
}

}  // namespace warpbook::simt
