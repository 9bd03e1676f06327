#pragma once
// The first and cheap look for races: did two threads touch the same bytes, one of them writing, with no
// block barrier and no whole-warp sync between? What it marks is little (who and when, not where), and it
// knows little (no fences, no flags, no partial syncs), so a hit is a suspicion: the launch runs again with
// the full rules (access/race.h). What it lets pass is no race by those rules.
//
// Mark of a granule: bits 0..10 who in the block, bits 11..31 when, bits 32..62 the block (number + 1). 0 =
// nobody. Shared memory belongs to one block and keeps the lower half only.
//
// Two things keep it cheap. A buffer that nobody writes needs no marks of its readers: they only say that
// they were there, and the first write to such a buffer sends the launch back to its start, this time with
// marks (MemoryLaunch::again). And a warp that writes 128 aligned bytes side by side leaves one mark for the
// line, which stands for its lanes one by one; the line is opened, and its granules get marks of their own,
// when somebody accesses it otherwise.
#include <atomic>
#include <cstdint>

namespace warpbook::simt {

using Mark = uint64_t;

inline constexpr uint32_t many_in_warp = 1024;   ///< + warp: several of its lanes
inline constexpr uint32_t many_in_block = 1056;  ///< lanes of several warps
inline constexpr uint32_t who_mask = 0x7ff;
inline constexpr int when_shift = 11, block_shift = 32;
inline constexpr uint32_t last_moment = 0x1f'fffe;
/// Threads of several blocks.
inline constexpr Mark many_blocks = Mark(0x7fff'ffff) << block_shift;

/// How a warp's lanes stand to what others did: everything in the block before `block_base` is ordered before
/// them, everything in their own warp before `warp_base`.
struct Moment {
  Mark block = 0;  ///< in place
  uint32_t now = 1;
  uint32_t block_base = 1, warp_base = 1;
  uint32_t warp = 0;

  Mark mark(uint32_t who) const { return block | Mark(now) << when_shift | who; }
};

inline constexpr int line_granules = 32;
/// A line whose granules have their own marks.
inline constexpr Mark open_line = 1;

inline uint32_t who_of(Mark m) { return uint32_t(m) & who_mask; }
inline uint32_t when_of(Mark m) { return uint32_t(m) >> when_shift; }

/// True when what the mark stands for is ordered before thread `who`, or is its own.
inline bool ordered(Mark m, const Moment& at, uint32_t who) {
  if (m == 0) return true;
  if ((m ^ at.block) >> block_shift) return false;
  if (when_of(m) < at.block_base) return true;
  const uint32_t other = who_of(m);
  if (other == who) return true;
  const bool same_warp = other < many_in_warp ? other / 32 == at.warp : other == many_in_warp + at.warp;
  return same_warp && when_of(m) < at.warp_base;
}

/// The mark that stands for what `m` does and for `who` now.
inline Mark joined(Mark m, const Moment& at, uint32_t who) {
  if (ordered(m, at, who)) return at.mark(who);
  if ((m ^ at.block) >> block_shift) return many_blocks;
  const uint32_t other = who_of(m);
  const bool same_warp = other < many_in_warp ? other / 32 == at.warp : other == many_in_warp + at.warp;
  return at.mark(same_warp ? many_in_warp + at.warp : many_in_block);
}

/// A line's mark as that of one of its granules.
inline Mark of_granule(Mark line, uint64_t granule) {
  const uint32_t warp = who_of(line) - many_in_warp;
  return (line & ~Mark(who_mask)) | (warp * 32 + uint32_t(granule % line_granules));
}

}  // namespace warpbook::simt
