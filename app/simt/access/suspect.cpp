// The suspicion pass over one access: marks of a block's shared memory belong to one thread of the host,
// those of global buffers are shared by all workers.
//
// A reader leaves its mark and then looks for writers, a writer leaves its own and then looks for readers,
// each in sequential consistency: of two that meet at least one sees the other.
#include <atomic>
#include <bit>
#include <utility>

#include "simt/access/marks.h"
#include "simt/access/worker.h"
#include "simt/exec/state.h"

namespace warpbook::simt {
namespace {

/// The marks of one array or buffer. The flags of a buffer say whether anybody has written or updated it in
/// this launch: most buffers are only read, and then the other marks need not be looked at. They are asked
/// after the reader has left its own mark.
struct Table {
  Mark* reads = nullptr;
  Mark* writes = nullptr;
  Mark* atomics = nullptr;
  const std::atomic<bool>* any_write = nullptr;
  const std::atomic<bool>* any_atomic = nullptr;

  bool written() const { return !any_write || any_write->load(); }
  bool updated() const { return atomics && (!any_atomic || any_atomic->load()); }
};

template <bool Concurrent>
Mark load(Mark& m) {
  if constexpr (Concurrent) return std::atomic_ref<Mark>(m).load();
  return m;
}

template <bool Concurrent>
void join(Mark& m, const Moment& at, uint32_t who) {
  Mark before = load<Concurrent>(m);
  while (before != many_blocks) {
    const Mark after = joined(before, at, who);
    if (after == before) return;
    if constexpr (!Concurrent) {
      m = after;
      return;
    } else if (std::atomic_ref<Mark>(m).compare_exchange_weak(before, after)) {
      return;
    }
  }
}

template <bool Concurrent>
Mark exchange(Mark& m, Mark to) {
  if constexpr (Concurrent) return std::atomic_ref<Mark>(m).exchange(to);
  return std::exchange(m, to);
}

/// True when the access of granule `g` is suspicious.
template <bool Concurrent>
bool touch(const Table& table, uint64_t g, const Moment& at, uint32_t who, AccessKind kind) {
  bool fine = true;
  switch (kind) {
    case AccessKind::read:
      join<Concurrent>(table.reads[g], at, who);
      if (table.written()) fine = ordered(load<Concurrent>(table.writes[g]), at, who);
      if (table.updated()) fine = fine && ordered(load<Concurrent>(table.atomics[g]), at, who);
      break;
    case AccessKind::write: {
      const Mark own = at.mark(who);
      const Mark before = load<Concurrent>(table.writes[g]);
      if (before != own) fine = ordered(exchange<Concurrent>(table.writes[g], own), at, who);
      fine = fine && ordered(load<Concurrent>(table.reads[g]), at, who);
      if (table.updated()) fine = fine && ordered(load<Concurrent>(table.atomics[g]), at, who);
      break;
    }
    case AccessKind::atomic:
      join<Concurrent>(table.atomics[g], at, who);
      fine = ordered(load<Concurrent>(table.reads[g]), at, who);
      if (table.written()) fine = fine && ordered(load<Concurrent>(table.writes[g]), at, who);
      break;
  }
  return !fine;
}

template <bool Concurrent>
bool touch_range(const Table& table, uint64_t at, uint32_t bytes, uint32_t shift, const Moment& moment,
                 uint32_t who, AccessKind kind) {
  bool suspicious = false;
  const uint64_t last = (at + bytes - 1) >> shift;
  for (uint64_t g = at >> shift; g <= last; ++g) {
    suspicious |= touch<Concurrent>(table, g, moment, who, kind);
  }
  return suspicious;
}

/// All lanes inside one table, whose first byte has the address `base`.
template <bool Concurrent>
bool touch_lanes(const Table& table, const Access& access, Address base, uint32_t shift,
                 const Moment& moment) {
  bool suspicious = false;
  const uint32_t first_thread = moment.warp * 32;
  for (uint32_t rest = access.mask; rest;) {
    const int lane = std::countr_zero(rest);
    rest &= rest - 1;
    uint32_t who = first_thread + uint32_t(lane);
    if (access.kind == AccessKind::read) {
      // Neighbours that read the same are told once.
      while (rest && access.address[std::countr_zero(rest)] == access.address[lane]) {
        who = many_in_warp + moment.warp;
        rest &= rest - 1;
      }
    }
    suspicious |= touch_range<Concurrent>(table, access.address[lane] - base, access.bytes, shift, moment,
                                          who, access.kind);
  }
  return suspicious;
}

/// Shared memory is marked by words until something smaller is accessed.
uint32_t shared_shift_for(MemoryWorker& worker, BlockMemory& memory, uint32_t bytes) {
  if (bytes >= (1u << memory.mark_shift)) return memory.mark_shift;
  const uint32_t finer = bytes == 1 ? 0 : 1;
  const uint32_t times = 1u << (memory.mark_shift - finer);
  for (std::vector<Mark>* marks : {&memory.read_marks, &memory.write_marks, &memory.atomic_marks}) {
    std::vector<Mark> fine;
    fine.reserve(marks->size() * times);
    for (const Mark m : *marks) fine.insert(fine.end(), times, m);
    *marks = std::move(fine);
  }
  memory.mark_shift = worker.mark_shift = finer;
  return finer;
}

Table shared_table(BlockMemory& memory, AccessKind kind) {
  if (kind == AccessKind::atomic && memory.atomic_marks.empty()) {
    memory.atomic_marks.assign(memory.read_marks.size(), 0);
  }
  return {memory.read_marks.data(), memory.write_marks.data(),
          memory.atomic_marks.empty() ? nullptr : memory.atomic_marks.data()};
}

Table global_table(Allocation& a, AccessKind kind) {
  if (kind == AccessKind::write && !a.marked_write.load()) a.marked_write.store(true);
  if (kind == AccessKind::atomic && !a.marked_atomic.load()) a.marked_atomic.store(true);
  return {reinterpret_cast<Mark*>(a.read_marks.data()), reinterpret_cast<Mark*>(a.write_marks.data()),
          reinterpret_cast<Mark*>(a.atomic_marks.data()), &a.marked_write, &a.marked_atomic};
}

/// What threads of several blocks read and nobody writes, as the inputs of a matrix product: nothing new to
/// say.
template <bool Concurrent>
bool read_by_all(const Table& table, uint64_t first, uint64_t last) {
  Mark other = 0;
  for (uint64_t g = first; g <= last; ++g) other |= load<Concurrent>(table.reads[g]) ^ many_blocks;
  return other == 0 && !table.written() && !table.updated();
}

template <bool Concurrent>
bool look_in_global(Allocation& a, const Access& access, const Moment& moment, Pattern pattern) {
  if (!a.read_marks) return false;
  const Table table = global_table(a, access.kind);
  const Address base = a.info.address;
  const int leader = std::countr_zero(access.mask);
  if (access.kind == AccessKind::read && pattern == Pattern::same) {
    const bool one = std::has_single_bit(access.mask);
    const uint32_t who = one ? moment.warp * 32 + uint32_t(leader) : many_in_warp + moment.warp;
    return touch_range<Concurrent>(table, access.address[leader] - base, access.bytes, a.granule_shift,
                                   moment, who, access.kind);
  }
  if (access.kind == AccessKind::read && pattern == Pattern::contiguous) {
    const int highest = 31 - std::countl_zero(access.mask);
    const uint64_t first = access.address[leader] - base;
    const uint64_t last = access.address[highest] - base + access.bytes - 1;
    if (read_by_all<Concurrent>(table, first >> a.granule_shift, last >> a.granule_shift)) return false;
  }
  return touch_lanes<Concurrent>(table, access, base, a.granule_shift, moment);
}

}  // namespace

void suspect(Warp& warp, const Access& given, const SiteCache* cache, Pattern pattern) {
  Access access = given;
  // An atomic of block scope is a plain store to other blocks.
  if (access.kind == AccessKind::atomic && access.ordering.scope == Scope::block)
    access.kind = AccessKind::write;
  MemoryWorker& worker = *warp.worker->memory;
  MemoryLaunch& launch = *worker.launch;
  BlockMemory& memory = warp.block->memory;
  const Moment moment{Mark((warp.block->number + 1) % (many_blocks >> block_shift)) << block_shift,
                      memory.now, memory.block_base,
                      memory.warp_base.empty() ? memory.block_base : memory.warp_base[warp.index],
                      warp.index};
  // When an asynchronous copy is done only the full rules can tell.
  bool suspicious = memory.now >= last_moment || access.asynchronous;
  if (cache && cache->shared) {
    const uint32_t shift = shared_shift_for(worker, memory, access.bytes);
    suspicious |= touch_lanes<false>(shared_table(memory, access.kind), access,
                                     cache->base - cache->shared_offset, shift, moment);
  } else if (cache) {
    if (cache->read_only) return;
    suspicious |= launch.concurrent ? look_in_global<true>(*cache->allocation, access, moment, pattern)
                                    : look_in_global<false>(*cache->allocation, access, moment, pattern);
  } else {
    Access one = access;
    for (uint32_t rest = access.mask; rest; rest &= rest - 1) {
      const Address address = access.address[std::countr_zero(rest)];
      one.mask = rest & (~rest + 1);
      if (address >= local_window) continue;
      if (address >= shared_window) {
        const SharedArray& array = *launch.array_at(address);
        const uint32_t shift = shared_shift_for(worker, memory, access.bytes);
        suspicious |= touch_lanes<false>(shared_table(memory, access.kind), one, array.address - array.offset,
                                         shift, moment);
      } else if (address < parameter_window) {
        Allocation* a = launch.memory->window_of(address);
        if (a->info.read_only) continue;
        suspicious |= launch.concurrent ? look_in_global<true>(*a, one, moment, Pattern::scattered)
                                        : look_in_global<false>(*a, one, moment, Pattern::scattered);
      }
    }
  }
  if (suspicious) launch.met.store(true, std::memory_order_relaxed);
}

}  // namespace warpbook::simt
