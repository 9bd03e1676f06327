#pragma once
// Finds blocks that meet in memory: two blocks that touch the same granule of a buffer, one of them writing,
// not both by atomics. Then the order of blocks may show in the result, and the launch is run again in a
// fixed order (DESIGN section 3, "Determinism"). A tag a granule, updated by compare and exchange, since
// blocks run on several threads.
//
// Tag: bits 0..30 the block (number + 1) that wrote, `many` when several did by atomics; bit 31 by atomics
// only; bits 32..62 the block that read, `many` when several did.
#include <atomic>
#include <cstdint>

#include "simt/access/allocation.h"
#include "simt/access/worker.h"

namespace warpbook::simt {

inline constexpr uint32_t many_blocks = 0x7fff'ffff;

/// What the tag becomes when `block` (number + 1) touches the granule; `met` is set when two blocks meet.
inline Tag touched_by(Tag tag, uint32_t block, AccessKind kind, bool& met) {
  uint32_t writer = uint32_t(tag) & many_blocks;
  bool atomic_only = (tag >> 31) & 1;
  uint32_t reader = uint32_t(tag >> 32) & many_blocks;
  const bool other_wrote = writer != 0 && writer != block;
  const bool other_read = reader != 0 && reader != block;
  switch (kind) {
    case AccessKind::read:
      met |= other_wrote;
      reader = other_read ? many_blocks : block;
      break;
    case AccessKind::write:
      met |= other_wrote || other_read;
      writer = block;
      atomic_only = false;
      break;
    case AccessKind::atomic:
      met |= (other_wrote && !atomic_only) || other_read;
      if (writer == 0) {
        writer = block;
        atomic_only = true;
      } else if (other_wrote) {
        writer = many_blocks;
      }
      break;
  }
  return Tag(reader) << 32 | Tag(atomic_only) << 31 | writer;
}

/// Updates one tag; true when two blocks met there.
inline bool touch(Tag& tag, uint32_t block, AccessKind kind) {
  std::atomic_ref<Tag> shared(tag);
  Tag before = shared.load(std::memory_order_relaxed);
  // By far the most: nothing new to say.
  const Tag own_read = Tag(block) << 32, many_read = Tag(many_blocks) << 32, atomic = Tag(1) << 31;
  switch (kind) {
    case AccessKind::read:
      if (before == own_read || before == many_read || before == (own_read | block)) return false;
      break;
    case AccessKind::write:
      if (before == block || before == (own_read | block)) return false;
      break;
    case AccessKind::atomic:
      if (before == (atomic | block) || before == (atomic | many_blocks)) return false;
      break;
  }
  while (true) {
    bool met = false;
    const Tag after = touched_by(before, block, kind, met);
    if (met) return true;
    if (after == before || shared.compare_exchange_weak(before, after, std::memory_order_relaxed))
      return false;
  }
}

}  // namespace warpbook::simt
