#pragma once
// The table behind Memory: which window belongs to which buffer, and what is kept beside a buffer's bytes.
//
// Wide windows: 2,048 of 32 GiB from 0x1000'0000'0000, the buffer 10 GiB into its own, so that signed and
// unsigned 32-bit indices of 4-byte elements stay inside. Behind them narrow windows of 64 MiB; a larger
// buffer takes several.
#include <array>
#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "simt/access/pages.h"
#include "simt/memory.h"

namespace warpbook::simt {

inline constexpr Address wide_begin = 0x1000'0000'0000;
inline constexpr Address wide_end = 0x5000'0000'0000;
inline constexpr int wide_shift = 35;
inline constexpr uint64_t wide_offset = 10ull << 30;
inline constexpr uint32_t wide_windows = uint32_t((wide_end - wide_begin) >> wide_shift);
static_assert(wide_windows == 2048);
inline constexpr Address narrow_end = 0x6000'0000'0000;
inline constexpr int narrow_shift = 26;
inline constexpr uint64_t narrow_offset = 20ull << 20;
inline constexpr uint32_t narrow_windows = uint32_t((narrow_end - wide_end) >> narrow_shift);

struct Allocation {
  AllocationInfo info;
  bool live = false;     ///< false: freed, its window not used again yet
  bool heap = false;     ///< a kernel's own malloc
  bool visible = false;  ///< the host reads and writes it unseen
  int freed_line = 0;    ///< heap: where free was called
  Pages bytes;
  /// Level check: true once every byte is known to be written; then `written` is not looked at.
  std::atomic<bool> all_written{false};
  Pages written;  ///< a byte each, 0 = never written; made on demand
  /// Written during a launch below level check, whose bytes nobody kept track of.
  std::atomic<bool> stored_untracked{false};
  /// A kernel has read or written it; whoever wants to know clears them before a launch.
  std::atomic<bool> loaded{false}, stored{false};
  // For the running launch only.
  // Marks (access/marks.h), one a granule and one a line; empty = not looked at.
  Pages read_marks, write_marks, atomic_marks, write_lines;
  std::atomic<bool> marked_write{false}, marked_atomic{false};
  std::atomic<bool> read_unmarked{false};  ///< somebody read without leaving a mark
  std::atomic<bool> saved{false};          ///< its contents are in MemoryLaunch::saved
  /// A launch has read and written it: readers leave marks from the next start on. Stays for later launches.
  std::atomic<bool> mark_reads{false};
  uint32_t granule_shift = 2;
  Pages race_cells;  ///< access/race.h; made when first touched
  uint32_t race_shift = 2;
  Pages map_times, map_writers;  ///< write map: uint8_t and int64_t an element

  std::byte* host() const { return bytes.data(); }
  uint8_t* written_bytes() const { return reinterpret_cast<uint8_t*>(written.data()); }
  bool contains(Address address, uint64_t count) const {
    const uint64_t at = address - info.address;
    return at <= info.bytes && count <= info.bytes - at;
  }
};

struct Memory::State {
  explicit State(uint64_t budget_bytes);

  uint64_t budget;
  uint64_t used = 0;
  uint64_t heap_used = 0;  ///< by malloc in kernels
  std::vector<std::unique_ptr<Allocation>> wide{wide_windows};
  std::deque<uint32_t> free_wide;
  /// Narrow windows by first window; `span` windows each.
  struct Narrow {
    uint32_t span = 1;
    std::unique_ptr<Allocation> allocation;
  };
  std::map<uint32_t, Narrow> narrow;
  std::map<uint32_t, std::deque<uint32_t>> free_narrow;  ///< span to first windows, freed longest ago first
  uint32_t next_narrow = 0;

  /// The buffer, live or freed, whose window holds the address.
  Allocation* window_of(Address address) const {
    if (address - wide_begin < wide_end - wide_begin) return wide[(address - wide_begin) >> wide_shift].get();
    if (address - wide_end < narrow_end - wide_end) return narrow_window_of(address);
    return nullptr;
  }
  Allocation* narrow_window_of(Address address) const;
  /// Marks bytes as written (host writes, launches below level check).
  static void mark_written(Allocation& allocation, uint64_t at, uint64_t count);
  /// Gives it a window and an address and counts its bytes.
  Result<Address> place(std::unique_ptr<Allocation> allocation);
  template <class F>
  void each_live(F f) const {
    for (const auto& a : wide)
      if (a && a->live) f(*a);
    for (const auto& [first, n] : narrow)
      if (n.allocation && n.allocation->live) f(*n.allocation);
  }
};

}  // namespace warpbook::simt
