#pragma once
// A cache of 128-byte lines with four sectors of 32 bytes each: 16 ways, least recently used, sets by a hash
// of the address, as GPUs' L1 and L2 are known to be (to the precision that a model needs).
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace warpbook {

class SectorCache {
 public:
  explicit SectorCache(uint64_t bytes);

  /// Is the sector (address / 32) here? If not, it is from now on; a line gives way when its set is full.
  bool load(uint64_t sector);
  /// Write-back: the sector is here from now on, and dirty. True when it was there before.
  bool store(uint64_t sector);
  /// Write-through without allocation (L1): changes nothing but the line's age.
  bool touch(uint64_t sector);

  uint64_t dirty_sectors_evicted() const { return evicted_; }
  uint64_t dirty_sectors() const { return dirty_; }
  uint64_t capacity_bytes() const { return sets_ * ways * 128; }

 private:
  static constexpr uint64_t ways = 16;
  /// All zeros is an empty line: an L2 has hundreds of thousands, a small kernel touches few, and zeroed
  /// memory that nobody touches costs nothing.
  struct Line {
    uint64_t tag;  ///< address / 128, plus 1
    uint32_t used;
    uint8_t present, dirty;  ///< a bit each sector
  };
  struct Free {
    void operator()(Line* lines) const { std::free(lines); }
  };
  /// The line of the sector, after making it the youngest; when it is not there, a fresh one in its place.
  Line& line_of(uint64_t sector);
  Line* find(uint64_t sector);

  uint64_t sets_ = 1;
  uint32_t clock_ = 0;
  uint64_t evicted_ = 0, dirty_ = 0;
  std::unique_ptr<Line[], Free> lines_;
};

}  // namespace warpbook
