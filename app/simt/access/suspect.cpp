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

/// The marks of one buffer. The flags say whether anybody has written or updated it in this launch: most
/// buffers are only read, and then the other marks need not be looked at. They are asked after the reader has
/// left its own mark.
struct Table {
  Mark* reads = nullptr;  ///< null: readers leave none
  Mark* writes = nullptr;
  Mark* atomics = nullptr;
  Mark* lines = nullptr;  ///< null: granules are no words
  const std::atomic<bool>* any_write = nullptr;
  const std::atomic<bool>* any_atomic = nullptr;

  bool written() const { return any_write->load(); }
  bool updated() const { return any_atomic->load(); }
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

template <bool Concurrent>
bool replace(Mark& m, Mark before, Mark after) {
  if constexpr (Concurrent) return std::atomic_ref<Mark>(m).compare_exchange_strong(before, after);
  if (m != before) return false;
  m = after;
  return true;
}

template <bool Concurrent>
Mark last_write(const Table& table, uint64_t g) {
  if (table.lines) {
    const Mark line = load<Concurrent>(table.lines[g / line_granules]);
    if (line != open_line) return line == 0 ? 0 : of_granule(line, g);
  }
  return load<Concurrent>(table.writes[g]);
}

/// From here on the granules of the line have marks of their own. Several workers may do it at once.
template <bool Concurrent>
void open(const Table& table, uint64_t g) {
  if (!table.lines) return;
  Mark& m = table.lines[g / line_granules];
  for (Mark line = load<Concurrent>(m); line != open_line; line = load<Concurrent>(m)) {
    if (line != 0) {
      const uint64_t first = g / line_granules * line_granules;
      for (uint64_t i = first; i < first + line_granules; ++i)
        replace<Concurrent>(table.writes[i], 0, of_granule(line, i));
    }
    replace<Concurrent>(m, line, open_line);
  }
}

/// True when the access of granule `g` is suspicious.
template <bool Concurrent>
bool touch(const Table& table, uint64_t g, const Moment& at, uint32_t who, AccessKind kind) {
  bool fine = true;
  switch (kind) {
    case AccessKind::read:
      join<Concurrent>(table.reads[g], at, who);
      if (table.written()) fine = ordered(last_write<Concurrent>(table, g), at, who);
      if (table.updated()) fine = fine && ordered(load<Concurrent>(table.atomics[g]), at, who);
      break;
    case AccessKind::write: {
      open<Concurrent>(table, g);
      const Mark own = at.mark(who);
      const Mark before = load<Concurrent>(table.writes[g]);
      if (before != own) fine = ordered(exchange<Concurrent>(table.writes[g], own), at, who);
      if (table.reads) fine = fine && ordered(load<Concurrent>(table.reads[g]), at, who);
      if (table.updated()) fine = fine && ordered(load<Concurrent>(table.atomics[g]), at, who);
      break;
    }
    case AccessKind::atomic:
      join<Concurrent>(table.atomics[g], at, who);
      if (table.reads) fine = ordered(load<Concurrent>(table.reads[g]), at, who);
      if (table.written()) fine = fine && ordered(last_write<Concurrent>(table, g), at, who);
      break;
  }
  return !fine;
}

/// A whole warp writes the words of one line, each lane its own. False: not judged, the line is open or
/// somebody else's.
template <bool Concurrent>
bool touch_line(const Table& table, uint64_t line, const Moment& at, bool& suspicious) {
  const uint32_t who = many_in_warp + at.warp;
  const Mark own = at.mark(who);
  Mark& m = table.lines[line];
  for (Mark before = load<Concurrent>(m); before != own; before = load<Concurrent>(m)) {
    if (before == open_line || !ordered(before, at, who)) return false;
    if (replace<Concurrent>(m, before, own)) break;
  }
  const bool updated = table.updated();
  if (!table.reads && !updated) return true;
  for (uint32_t i = 0; i < line_granules; ++i) {
    const uint64_t g = line * line_granules + i;
    const uint32_t thread = at.warp * 32 + i;
    if (table.reads) suspicious |= !ordered(load<Concurrent>(table.reads[g]), at, thread);
    if (updated) suspicious |= !ordered(load<Concurrent>(table.atomics[g]), at, thread);
  }
  return true;
}

/// Granules [first, last] for each lane, neighbours that read the same place told once.
template <class Touch>
void each_lanes_granules(const Access& access, Address base, uint32_t shift, uint32_t warp, Touch touch) {
  for (uint32_t rest = access.mask; rest;) {
    const int lane = std::countr_zero(rest);
    rest &= rest - 1;
    uint32_t who = warp * 32 + uint32_t(lane);
    if (access.kind == AccessKind::read) {
      while (rest && access.address[std::countr_zero(rest)] == access.address[lane]) {
        who = many_in_warp + warp;
        rest &= rest - 1;
      }
    }
    const uint64_t at = access.address[lane] - base;
    const uint64_t last = (at + access.bytes - 1) >> shift;
    for (uint64_t g = at >> shift; g <= last; ++g) touch(g, who);
  }
}

/// Shared memory is marked by words until something smaller is accessed.
uint32_t shared_shift_for(MemoryWorker& worker, BlockMemory& memory, uint32_t bytes) {
  if (bytes >= (1u << memory.mark_shift)) return memory.mark_shift;
  const uint32_t finer = bytes == 1 ? 0 : 1;
  const uint32_t times = 1u << (memory.mark_shift - finer);
  for (std::vector<uint32_t>* marks : {&memory.read_marks, &memory.write_marks, &memory.atomic_marks}) {
    std::vector<uint32_t> fine;
    fine.reserve(marks->size() * times);
    for (const uint32_t m : *marks) fine.insert(fine.end(), times, m);
    *marks = std::move(fine);
  }
  memory.mark_shift = worker.mark_shift = finer;
  return finer;
}

/// One array's part of an access to shared memory; its marks belong to one thread of the host.
bool look_in_shared(MemoryWorker& worker, BlockMemory& memory, const Access& access, Address base,
                    const Moment& at) {
  const uint32_t shift = shared_shift_for(worker, memory, access.bytes);
  if (access.kind == AccessKind::atomic && memory.atomic_marks.empty())
    memory.atomic_marks.assign(memory.read_marks.size(), 0);
  const bool updated = !memory.atomic_marks.empty();
  const auto whole = [&](uint32_t m) { return m == 0 ? 0 : at.block | m; };
  bool fine = true;
  each_lanes_granules(access, base, shift, at.warp, [&](uint64_t g, uint32_t who) {
    const auto in_order = [&](uint32_t m) { return ordered(whole(m), at, who); };
    if (access.kind != AccessKind::write) fine = fine && in_order(memory.write_marks[g]);
    if (access.kind != AccessKind::read) fine = fine && in_order(memory.read_marks[g]);
    if (access.kind != AccessKind::atomic && updated) fine = fine && in_order(memory.atomic_marks[g]);
    switch (access.kind) {
      case AccessKind::read:
        memory.read_marks[g] = uint32_t(joined(whole(memory.read_marks[g]), at, who));
        break;
      case AccessKind::write:
        fine = fine && in_order(memory.write_marks[g]);
        memory.write_marks[g] = uint32_t(at.mark(who));
        break;
      case AccessKind::atomic:
        memory.atomic_marks[g] = uint32_t(joined(whole(memory.atomic_marks[g]), at, who));
        break;
    }
  });
  return !fine;
}

Table table_of(Allocation& a, AccessKind kind) {
  if (kind == AccessKind::write && !a.marked_write.load()) a.marked_write.store(true);
  if (kind == AccessKind::atomic && !a.marked_atomic.load()) a.marked_atomic.store(true);
  const auto marks = [](const Pages& pages) { return reinterpret_cast<Mark*>(pages.data()); };
  return {marks(a.read_marks),  marks(a.write_marks), marks(a.atomic_marks),
          marks(a.write_lines), &a.marked_write,      &a.marked_atomic};
}

/// The launch must begin anew, with marks of this buffer's readers.
void want_marks(MemoryLaunch& launch, Allocation& a) {
  a.mark_reads = true;
  launch.again.store(true, std::memory_order_relaxed);
}

/// What threads of several blocks read and nobody writes: nothing new to say.
template <bool Concurrent>
bool read_by_all(const Table& table, uint64_t first, uint64_t last) {
  Mark other = 0;
  for (uint64_t g = first; g <= last; ++g) other |= load<Concurrent>(table.reads[g]) ^ many_blocks;
  return other == 0 && !table.written() && !table.updated();
}

template <bool Concurrent>
bool look_in_global(MemoryLaunch& launch, Allocation& a, const Access& access, const Moment& moment,
                    Pattern pattern) {
  if (!a.write_marks) return false;
  const Table table = table_of(a, access.kind);
  if (!table.reads) {
    if (access.kind == AccessKind::read) {
      if (!a.read_unmarked.load()) a.read_unmarked.store(true);
      if (table.written() || table.updated()) want_marks(launch, a);
      return false;
    }
    if (a.read_unmarked.load()) want_marks(launch, a);
  }
  const Address base = a.info.address;
  const int leader = std::countr_zero(access.mask);
  const uint64_t first = access.address[leader] - base;
  bool suspicious = false;
  if (pattern == Pattern::contiguous && access.kind == AccessKind::read) {
    const int highest = 31 - std::countl_zero(access.mask);
    const uint64_t last = access.address[highest] - base + access.bytes - 1;
    if (read_by_all<Concurrent>(table, first >> a.granule_shift, last >> a.granule_shift)) return false;
  } else if (pattern == Pattern::contiguous && access.kind == AccessKind::write && table.lines &&
             access.bytes == 4 && access.mask == ~0u && first % (4 * line_granules) == 0) {
    if (touch_line<Concurrent>(table, first / (4 * line_granules), moment, suspicious)) return suspicious;
  }
  each_lanes_granules(access, base, a.granule_shift, moment.warp, [&](uint64_t g, uint32_t who) {
    suspicious |= touch<Concurrent>(table, g, moment, who, access.kind);
  });
  return suspicious;
}

Moment moment_of(const Warp& warp) {
  const BlockMemory& memory = warp.block->memory;
  return {Mark((warp.block->number + 1) % (many_blocks >> block_shift)) << block_shift, memory.now,
          memory.block_base, memory.warp_base.empty() ? memory.block_base : memory.warp_base[warp.index],
          warp.index};
}

/// Before the first write to a buffer: as it was when the launch began.
void save_contents(MemoryLaunch& launch, Allocation& a) {
  const std::lock_guard lock(launch.saving);
  if (a.saved) return;
  MemoryLaunch::Saved s{&a, {}, {}, a.all_written.load()};
  s.bytes.assign(a.host(), a.host() + a.info.bytes);
  if (!s.all_written && a.written) s.written.assign(a.written_bytes(), a.written_bytes() + a.info.bytes);
  launch.saved.push_back(std::move(s));
  a.saved = true;
}

}  // namespace

bool write_line(Warp& warp, Allocation& a, Address first) {
  MemoryLaunch& launch = *warp.worker->memory->launch;
  const uint64_t at = first - a.info.address;
  if (!a.write_lines || at % (4 * line_granules) != 0) return false;
  if (!a.read_marks && a.read_unmarked.load()) return false;
  const Moment moment = moment_of(warp);
  const Table table = table_of(a, AccessKind::write);
  bool suspicious = false;
  const uint64_t line = at / (4 * line_granules);
  const bool done = launch.concurrent ? touch_line<true>(table, line, moment, suspicious)
                                      : touch_line<false>(table, line, moment, suspicious);
  if (!done) return false;
  // A reader that came in between has left no mark, or sees this one.
  if (!table.reads && a.read_unmarked.load()) return false;
  if (suspicious) launch.met.store(true, std::memory_order_relaxed);
  return true;
}

void suspect(Warp& warp, const Access& given, const SiteCache* cache, Pattern pattern) {
  Access access = given;
  // An atomic of block scope is a plain store to other blocks.
  if (access.kind == AccessKind::atomic && access.ordering.scope == Scope::block)
    access.kind = AccessKind::write;
  MemoryWorker& worker = *warp.worker->memory;
  MemoryLaunch& launch = *worker.launch;
  BlockMemory& memory = warp.block->memory;
  const Moment moment = moment_of(warp);
  // When an asynchronous copy is done only the full rules can tell.
  bool suspicious = memory.now >= last_moment || access.asynchronous;
  const auto in_buffer = [&](Allocation& a, const Access& part, Pattern how) {
    if (a.info.read_only) return;
    if (part.kind != AccessKind::read && !a.saved.load()) save_contents(launch, a);
    if (launch.met.load(std::memory_order_relaxed)) return;
    suspicious |= launch.concurrent ? look_in_global<true>(launch, a, part, moment, how)
                                    : look_in_global<false>(launch, a, part, moment, how);
  };
  if (cache && cache->shared) {
    suspicious |= look_in_shared(worker, memory, access, cache->base - cache->shared_offset, moment);
  } else if (cache) {
    in_buffer(*cache->allocation, access, pattern);
  } else {
    Access one = access;
    for (uint32_t rest = access.mask; rest; rest &= rest - 1) {
      const Address address = access.address[std::countr_zero(rest)];
      one.mask = rest & (~rest + 1);
      if (address >= local_window) continue;
      if (address >= shared_window) {
        const SharedArray& array = *launch.array_at(address);
        suspicious |= look_in_shared(worker, memory, one, array.address - array.offset, moment);
      } else if (address < parameter_window) {
        in_buffer(*launch.memory->window_of(address), one, Pattern::scattered);
      }
    }
  }
  if (suspicious) launch.met.store(true, std::memory_order_relaxed);
}

}  // namespace warpbook::simt
