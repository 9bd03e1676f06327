// Sectors and bank passes of one access, from its addresses. A sector is 32 bytes; shared memory has 32 banks
// of 4 bytes and serves a warp's 64-bit access in two halves and a 128-bit access in four quarters.
#include <algorithm>
#include <array>

#include "simt/access/worker.h"

namespace warpbook::simt {
namespace {

/// A whole warp's words in ascending order, by far the most common: one pass without branches. False when
/// they do not ascend.
bool count_ascending_words(const Address* address, uint32_t& sectors, uint32_t& ideal) {
  uint32_t falls = 0, words = 1, distinct_sectors = 1;
  for (uint32_t lane = 1; lane < 32; ++lane) {
    const uint64_t before = address[lane - 1] / 4, word = address[lane] / 4;
    falls += word < before;
    words += word != before;
    distinct_sectors += word / 8 != before / 8;
  }
  sectors = distinct_sectors;
  ideal = (words * 4 + 31) / 32;
  return falls == 0;
}

}  // namespace

void count_sectors(const Access& access, uint32_t& sectors, uint32_t& ideal) {
  if (access.bytes == 4 && access.mask == ~0u && count_ascending_words(access.address, sectors, ideal))
    return;
  std::array<Address, 32> sorted;
  size_t count = 0;
  for (uint32_t rest = access.mask; rest; rest &= rest - 1)
    sorted[count++] = access.address[__builtin_ctz(rest)];
  // Most patterns ascend as they are.
  if (!std::is_sorted(sorted.begin(), sorted.begin() + count)) {
    std::sort(sorted.begin(), sorted.begin() + count);
  }
  sectors = 0;
  uint64_t distinct = 0;             // bytes
  Address next_sector = 0, end = 0;  // first sector not counted yet, first byte not counted yet
  for (size_t i = 0; i < count; ++i) {
    const Address from = sorted[i], to = from + access.bytes;
    const Address first = std::max(from / 32, next_sector), last = (to - 1) / 32;
    if (last >= first) sectors += uint32_t(last - first + 1);
    next_sector = std::max(next_sector, last + 1);
    if (to > end) distinct += to - std::max(from, end);
    end = std::max(end, to);
  }
  ideal = uint32_t((distinct + 31) / 32);
}

void count_passes(const Access& access, uint32_t& passes, uint32_t& ideal) {
  const uint32_t words = std::max(1u, access.bytes / 4);
  const uint32_t group = 32 / words;  // lanes served together
  passes = ideal = 0;
  for (uint32_t first = 0; first < 32; first += group) {
    std::array<uint32_t, 32> touched;  // word numbers
    size_t count = 0;
    for (uint32_t lane = first; lane < first + group; ++lane) {
      if (!(access.mask >> lane & 1)) continue;
      for (uint32_t w = 0; w < words; ++w) touched[count++] = uint32_t(access.address[lane] / 4) + w;
    }
    if (count == 0) continue;
    // Lanes that read one word are served together; atomics on one word follow each other.
    if (access.kind != AccessKind::atomic) {
      if (!std::is_sorted(touched.begin(), touched.begin() + count)) {
        std::sort(touched.begin(), touched.begin() + count);
      }
      count = size_t(std::unique(touched.begin(), touched.begin() + count) - touched.begin());
    }
    std::array<uint8_t, 32> in_bank{};
    uint32_t most = 0;
    for (size_t i = 0; i < count; ++i) most = std::max<uint32_t>(most, ++in_bank[touched[i] % 32]);
    passes += most;
    ideal += 1;
  }
}

}  // namespace warpbook::simt
