#include "model/sector_cache.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace warpbook {

namespace {

/// Mixes all bits, so that power-of-two pitches do not meet in one set.
uint64_t mixed(uint64_t x) {
  x ^= x >> 29;
  x *= 0xbf58476d1ce4e5b9ull;
  x ^= x >> 32;
  return x;
}

}  // namespace

SectorCache::SectorCache(uint64_t bytes) : sets_(std::max<uint64_t>(1, bytes / 128 / ways)) {
  lines_.reset(static_cast<Line*>(std::calloc(sets_ * ways, sizeof(Line))));
  assert(lines_);
}

SectorCache::Line* SectorCache::find(uint64_t sector) {
  const uint64_t tag = sector / 4 + 1;
  Line* const set = &lines_[mixed(tag) % sets_ * ways];
  for (Line* line = set; line != set + ways; ++line)
    if (line->tag == tag) return line;
  return nullptr;
}

SectorCache::Line& SectorCache::line_of(uint64_t sector) {
  const uint64_t tag = sector / 4 + 1;
  Line* const set = &lines_[mixed(tag) % sets_ * ways];
  Line* oldest = set;
  ++clock_;
  for (Line* line = set; line != set + ways; ++line) {
    if (line->tag == tag) {
      line->used = clock_;
      return *line;
    }
    if (line->used < oldest->used) oldest = line;
  }
  const auto lost = uint64_t(std::popcount(oldest->dirty));
  evicted_ += lost;
  dirty_ -= lost;
  *oldest = {tag, clock_, 0, 0};
  return *oldest;
}

bool SectorCache::load(uint64_t sector) {
  Line& line = line_of(sector);
  const auto bit = uint8_t(1u << (sector % 4));
  const bool hit = (line.present & bit) != 0;
  line.present |= bit;
  return hit;
}

bool SectorCache::store(uint64_t sector) {
  Line& line = line_of(sector);
  const auto bit = uint8_t(1u << (sector % 4));
  const bool hit = (line.present & bit) != 0;
  line.present |= bit;
  dirty_ += (line.dirty & bit) == 0;
  line.dirty |= bit;
  return hit;
}

bool SectorCache::touch(uint64_t sector) {
  Line* line = find(sector);
  if (!line || !(line->present & (1u << (sector % 4)))) return false;
  line->used = ++clock_;
  return true;
}

}  // namespace warpbook
