#pragma once
// Counting and following the common accesses where they are made, at levels measure and check: lanes side by
// side, at one place, or in two rows of 16, all inside the buffer that the site knows. What is rare goes to
// account() and follow(); what is decided here must be what they would decide.
#include "simt/access/marks.h"
#include "simt/ops/memory_access.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

// Costs of two rows.

struct Span {
  uint64_t first, last;
  uint64_t count() const { return last - first + 1; }
};
WARPBOOK_INLINE Span span_of(Address first, uint32_t bytes, int shift) {
  return {first >> shift, (first + bytes - 1) >> shift};
}
WARPBOOK_INLINE uint32_t common(const Span& a, const Span& b) {
  const uint64_t low = std::max(a.first, b.first), high = std::min(a.last, b.last);
  return high < low ? 0 : uint32_t(high - low + 1);
}
WARPBOOK_INLINE uint32_t distinct(const Span& a, const Span& b) {
  return uint32_t(a.count() + b.count()) - common(a, b);
}
/// The most words in one bank, of two spans of neighbouring words.
template <uint32_t Banks>
WARPBOOK_INLINE uint32_t fullest(const Span& a, const Span& b) {
  if (common(a, b) != 0) return uint32_t((distinct(a, b) + Banks - 1) / Banks);
  const uint32_t ahead = uint32_t(b.first - a.first) % Banks;
  return ahead < a.count() || (Banks - ahead) % Banks < b.count() ? 2 : 1;
}

WARPBOOK_INLINE RequestCost cost_of_rows(const HalfRows& rows, bool shared, uint32_t l1_byte_cost) {
  const uint32_t bytes[2] = {rows.same[0] ? 4u : 64u, rows.same[1] ? 4u : 64u};
  const auto both = [&](int shift, auto what) {
    return what(span_of(rows.first[0], bytes[0], shift), span_of(rows.first[1], bytes[1], shift));
  };
  RequestCost cost;
  if (shared) {
    cost.cost = both(2, [](const Span& a, const Span& b) { return fullest<32>(a, b); });
    cost.ideal = 1;
    return cost;
  }
  const auto number = [](const Span& a, const Span& b) { return distinct(a, b); };
  cost.cost = both(5, number);
  cost.ideal = (both(0, number) + 31) / 32;
  cost.lines = both(7, number);
  const uint32_t bank = both(3, [](const Span& a, const Span& b) { return fullest<16>(a, b); });
  cost.l1_thousandths = l1_thousandths(128, bank, cost.lines, l1_byte_cost);
  return cost;
}

// Following: shared memory. Marks and what they say are explained in access/marks.h; words only.

/// What marks mean to the threads of the running warp, with all lanes of a vector at once.
class SharedMarks {
 public:
  SharedMarks(BlockMemory& memory, uint32_t warp)
      : now_(memory.now << when_shift),
        block_base_(memory.block_base << when_shift),
        warp_base_(memory.warp_base.empty() ? block_base_ : memory.warp_base[warp] << when_shift),
        warp_(warp) {}
  uint32_t now() const { return now_; }
  uint32_t many() const { return many_in_warp + warp_; }

  WARPBOOK_INLINE Vec<int32_t> same_warp(const Vec<uint32_t>& mark) const {
    const Vec<uint32_t> who = mark & who_mask;
    return ((who >> 5) == warp_) | (who == many());
  }
  WARPBOOK_INLINE Vec<int32_t> ordered(const Vec<uint32_t>& mark, const Vec<uint32_t>& who) const {
    Vec<int32_t> fine = (mark < block_base_) | ((mark & who_mask) == who);
    if (warp_base_ != block_base_) fine |= same_warp(mark) & (mark < warp_base_);
    return fine;
  }
  WARPBOOK_INLINE Vec<uint32_t> joined(const Vec<uint32_t>& mark, const Vec<uint32_t>& who) const {
    const Vec<uint32_t> other =
        same_warp(mark) ? all_lanes<uint32_t>(many()) : all_lanes<uint32_t>(many_in_block);
    return (ordered(mark, who) ? who : other) | now_;
  }

 private:
  uint32_t now_, block_base_, warp_base_, warp_;
};

constexpr uint32_t written_word = 0x01010101;

/// A read of 8 words next to each other by lanes that are told by `who`; `taken`: which of them.
WARPBOOK_INLINE void read_words(BlockMemory& memory, const SharedMarks& marks, size_t granule,
                                const Vec<uint32_t>& who, const Vec<int32_t>& taken, Vec<int32_t>& unwritten,
                                Vec<int32_t>& unordered) {
  unwritten |= Vec<int32_t>(load_words(memory.shared_written.data() + granule * 4) != written_word) & taken;
  unordered |= ~marks.ordered(load_words(memory.write_marks.data() + granule), who) & taken;
  uint32_t* reads = memory.read_marks.data() + granule;
  const Vec<uint32_t> before = load_words(reads);
  const Vec<uint32_t> after = taken ? marks.joined(before, who) : before;
  std::memcpy(reads, &after, sizeof after);
}
WARPBOOK_INLINE void write_words(BlockMemory& memory, const SharedMarks& marks, size_t granule,
                                 const Vec<uint32_t>& who, const Vec<int32_t>& taken,
                                 Vec<int32_t>& unordered) {
  uint32_t* writes = memory.write_marks.data() + granule;
  const Vec<uint32_t> before = load_words(writes);
  unordered |=
      ~(marks.ordered(before, who) & marks.ordered(load_words(memory.read_marks.data() + granule), who)) &
      taken;
  const Vec<uint32_t> after = taken ? who | marks.now() : before;
  std::memcpy(writes, &after, sizeof after);
  auto* written = memory.shared_written.data() + granule * 4;
  const Vec<uint32_t> old = load_words(written);
  const Vec<uint32_t> filled = taken ? all_lanes<uint32_t>(written_word) : old;
  std::memcpy(written, &filled, sizeof filled);
}

WARPBOOK_INLINE Vec<uint32_t> threads_from(uint32_t first) {
  return Vec<uint32_t>{0, 1, 2, 3, 4, 5, 6, 7} + first;
}

WARPBOOK_INLINE bool words_can_be_followed(const MemoryLaunch& launch, const BlockMemory& memory,
                                           const Shape& shape) {
  return launch.looking && !launch.write_maps && shape.bytes == 4 && memory.mark_shift == 2 &&
         memory.atomic_marks.empty() && memory.now < last_moment;
}

/// What the rows of an access did. False: follow() must look as well.
WARPBOOK_INLINE bool told(MemoryLaunch& launch, const Vec<int32_t>& unwritten,
                          const Vec<int32_t>& unordered) {
  if (!all_zero(Vec<uint64_t>(unordered))) launch.met.store(true, std::memory_order_relaxed);
  return all_zero(Vec<uint64_t>(unwritten));
}

/// `granule`: of lane 0, whether it takes part or not. All 32 lie inside the block's shared memory.
template <bool Load, bool Masked>
WARPBOOK_INLINE bool follow_shared_run(Warp& warp, size_t granule) {
  BlockMemory& memory = warp.block->memory;
  const SharedMarks marks(memory, warp.index);
  Vec<int32_t> unwritten{}, unordered{};
  for (int i = 0; i < lanes; i += 8) {
    const Vec<uint32_t> who = threads_from(warp.index * 32 + uint32_t(i));
    const Vec<int32_t> taken = Masked ? Vec<int32_t>(mask_at<uint32_t>(warp, i)) : ~Vec<int32_t>{};
    if constexpr (Load) {
      read_words(memory, marks, granule + size_t(i), who, taken, unwritten, unordered);
    } else {
      write_words(memory, marks, granule + size_t(i), who, taken, unordered);
    }
  }
  return told(*warp.worker->memory->launch, unwritten, unordered);
}

/// One word that lanes `who` read.
WARPBOOK_INLINE bool follow_shared_word(Warp& warp, size_t granule, uint32_t who) {
  BlockMemory& memory = warp.block->memory;
  const SharedMarks marks(memory, warp.index);
  const Vec<uint32_t> own = all_lanes<uint32_t>(who);
  if (marks.ordered(all_lanes<uint32_t>(memory.write_marks[granule]), own)[0] == 0)
    warp.worker->memory->launch->met.store(true, std::memory_order_relaxed);
  uint32_t& read = memory.read_marks[granule];
  read = marks.joined(all_lanes<uint32_t>(read), own)[0];
  uint32_t written;
  std::memcpy(&written, memory.shared_written.data() + granule * 4, sizeof written);
  return written == written_word;
}

WARPBOOK_INLINE bool follow_shared_rows(Warp& warp, const HalfRows& rows, const SiteCache& cache) {
  BlockMemory& memory = warp.block->memory;
  const Address base = cache.base - cache.shared_offset;
  const SharedMarks marks(memory, warp.index);
  const bool both = rows.first[0] == rows.first[1] && rows.same[0] == rows.same[1];
  const Span words[2] = {span_of(rows.first[0] - base, rows.same[0] ? 4 : 64, 2),
                         span_of(rows.first[1] - base, rows.same[1] ? 4 : 64, 2)};
  if (!both && common(words[0], words[1]) != 0) return false;
  bool good = true;
  for (uint32_t half = 0; half < (both ? 1u : 2u); ++half) {
    if (rows.same[half]) {
      good &= follow_shared_word(warp, words[half].first, marks.many());
      continue;
    }
    Vec<int32_t> unwritten{}, unordered{};
    for (uint32_t i = 0; i < 16; i += 8) {
      const Vec<uint32_t> who =
          both ? all_lanes<uint32_t>(marks.many()) : threads_from(warp.index * 32 + half * 16 + i);
      read_words(memory, marks, words[half].first + i, who, ~Vec<int32_t>{}, unwritten, unordered);
    }
    good &= told(*warp.worker->memory->launch, unwritten, unordered);
  }
  return good;
}

// Following: global memory.

/// A flag that other workers may set. The library's load() may become a function of its own, which the linker
/// could take from this object for the whole program, also where there is no AVX2.
WARPBOOK_INLINE bool is_set(const std::atomic<bool>& flag) {
  static_assert(sizeof flag == sizeof(bool));
  return __atomic_load_n(reinterpret_cast<const bool*>(&flag), __ATOMIC_SEQ_CST);
}

/// Bytes next to each other that the access reads are known to be written; what it writes is from now on.
template <bool Load>
WARPBOOK_INLINE bool written_in(Allocation& a, Address first, size_t bytes) {
  if (is_set(a.all_written)) return true;
  if (!a.written) return false;
  uint8_t* shadow = a.written_bytes() + (first - a.info.address);
  if constexpr (!Load) {
    std::memset(shadow, 1, bytes);
    return true;
  }
  if (bytes % 32 != 0) return false;
  Vec<uint32_t> missing{};
  for (size_t k = 0; k < bytes; k += 32) missing |= load_words(shadow + k) ^ written_word;
  return all_zero(Vec<uint64_t>(missing));
}

/// A buffer that this launch only reads, so far.
WARPBOOK_INLINE bool only_read(const Allocation& a) {
  return !a.read_marks && is_set(a.read_unmarked) && !is_set(a.marked_write) && !is_set(a.marked_atomic);
}

WARPBOOK_INLINE bool global_can_be_followed(const MemoryLaunch& launch) {
  return launch.looking && !launch.write_maps;
}

// Both.

/// Counts lanes side by side (`count` of them, no idle one between) or all at one place. False: account()
/// must.
template <bool Masked>
WARPBOOK_INLINE bool count_quick(MemoryWorker& worker, const Shape& shape, const SiteCache& cache,
                                 Pattern pattern, Address first, uint32_t count) {
  if (worker.watched || cache.read_only || count == 0 || !cache.record) return false;
  SiteRecord& record = *cache.record;
  record.bytes = shape.bytes;
  if (cache.shared) {
    const uint32_t passes = shape.bytes <= 4 ? 1 : shape.bytes / 4;
    if (passes != 1 && (Masked || pattern == Pattern::same)) return false;
    record.shared.add(count, RequestCost{passes, passes, 0, 0});
  } else {
    const uint32_t bytes = pattern == Pattern::same ? shape.bytes : count * shape.bytes;
    record.global.add(count, cost_of_run(first, bytes, count * shape.bytes, worker.launch->l1_byte_cost));
  }
  return true;
}

WARPBOOK_INLINE bool count_rows(MemoryWorker& worker, const SiteCache& cache, const HalfRows& rows) {
  if (worker.watched || cache.read_only || !cache.record) return false;
  cache.record->bytes = 4;
  QuickTraffic& quick = cache.shared ? cache.record->shared : cache.record->global;
  quick.add(32, cost_of_rows(rows, cache.shared, worker.launch->l1_byte_cost));
  return true;
}

/// What level check wants of a run or of one place. False: follow() must look.
template <bool Load, bool Masked>
WARPBOOK_INLINE bool follow_quick(Warp& warp, const Shape& shape, const SiteCache& cache, Pattern pattern,
                                  Address first, uint32_t count) {
  MemoryLaunch& launch = *warp.worker->memory->launch;
  if (cache.shared) {
    BlockMemory& memory = warp.block->memory;
    if (!words_can_be_followed(launch, memory, shape)) return false;
    const size_t granule = size_t(cache.shared_offset + (first - cache.base)) / 4;
    if (pattern == Pattern::same) {
      if (!Load) return false;
      const uint32_t leader = Masked ? uint32_t(__builtin_ctz(warp.mask)) : 0;
      return follow_shared_word(warp, granule,
                                count == 1 ? warp.index * 32 + leader : many_in_warp + warp.index);
    }
    const size_t before = Masked ? size_t(__builtin_ctz(warp.mask)) : 0;
    if (granule < before || (granule - before + 32) * 4 > launch.total_bytes) return false;
    return follow_shared_run<Load, Masked>(warp, granule - before);
  }
  if (!global_can_be_followed(launch)) return false;
  Allocation& a = *cache.allocation;
  const uint32_t bytes = pattern == Pattern::same ? shape.bytes : count * shape.bytes;
  if constexpr (Load) return only_read(a) && written_in<true>(a, first, bytes);
  if (Masked || shape.bytes != 4 || pattern != Pattern::contiguous || !is_set(a.saved)) return false;
  return written_in<false>(a, first, bytes) && write_line(warp, a, first);
}

WARPBOOK_INLINE bool follow_rows(Warp& warp, const Shape& shape, const SiteCache& cache,
                                 const HalfRows& rows) {
  MemoryLaunch& launch = *warp.worker->memory->launch;
  if (cache.shared)
    return words_can_be_followed(launch, warp.block->memory, shape) && follow_shared_rows(warp, rows, cache);
  if (!global_can_be_followed(launch)) return false;
  Allocation& a = *cache.allocation;
  return only_read(a) && is_set(a.all_written);
}

}  // namespace
}  // namespace warpbook::simt::WARPBOOK_ISA
