#include "model/access_cost.h"

#include <algorithm>
#include <bit>

namespace warpbook {

namespace {

/// The most distinct words in one bank, over the words that `lanes` touch.
template <uint32_t Banks, uint32_t WordBytes>
uint32_t fullest_bank(const LaneAddresses& addresses, uint32_t lanes, uint32_t bytes) {
  std::array<uint64_t, 32 * 5> words;
  size_t count = 0;
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    const uint64_t first = addresses[size_t(std::countr_zero(rest))];
    for (uint64_t word = first / WordBytes; word <= (first + bytes - 1) / WordBytes && count < words.size();
         ++word)
      if (count == 0 || words[count - 1] != word) words[count++] = word;
  }
  std::sort(words.begin(), words.begin() + std::ptrdiff_t(count));
  const auto end = std::unique(words.begin(), words.begin() + std::ptrdiff_t(count));
  std::array<uint32_t, Banks> in_bank{};
  uint32_t most = 0;
  for (auto word = words.begin(); word != end; ++word) most = std::max(most, ++in_bank[*word % Banks]);
  return most;
}

}  // namespace

uint32_t shared_passes(const LaneAddresses& addresses, uint32_t lanes, uint32_t bytes) {
  const uint32_t parts = bytes >= 16 ? 4 : bytes >= 8 ? 2 : 1;
  const uint32_t width = 32 / parts;
  uint32_t passes = 0;
  for (uint32_t part = 0; part < parts; ++part) {
    const uint32_t mask = width == 32 ? ~0u : ((1u << width) - 1) << (part * width);
    if (lanes & mask) passes += fullest_bank<32, 4>(addresses, lanes & mask, bytes);
  }
  return passes;
}

uint32_t shared_atomic_passes(const LaneAddresses& addresses, uint32_t lanes) {
  uint32_t most = shared_passes(addresses, lanes, 4);
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    uint32_t same = 0;
    const uint64_t word = addresses[size_t(std::countr_zero(rest))] / 4;
    for (uint32_t other = lanes; other; other &= other - 1)
      same += addresses[size_t(std::countr_zero(other))] / 4 == word;
    most = std::max(most, same);
  }
  return most;
}

double l1_cycles(const LaneAddresses& addresses, uint32_t lanes, uint32_t bytes, double l1_bytes_per_clock) {
  const double width = std::max(1.0, double(std::popcount(lanes)) * bytes / l1_bytes_per_clock);
  const double bank = fullest_bank<16, 8>(addresses, lanes, bytes);
  std::array<uint64_t, 64> lines;
  size_t count = 0;
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    const uint64_t first = addresses[size_t(std::countr_zero(rest))];
    lines[count++] = first / 128;
    if ((first + bytes - 1) / 128 != first / 128) lines[count++] = first / 128 + 1;
  }
  std::sort(lines.begin(), lines.begin() + std::ptrdiff_t(count));
  const auto distinct = std::unique(lines.begin(), lines.begin() + std::ptrdiff_t(count)) - lines.begin();
  return std::max({width, bank, 0.265 * double(distinct)});
}

void sectors_of(const LaneAddresses& addresses, uint32_t lanes, uint32_t bytes,
                std::vector<uint64_t>& sectors) {
  sectors.clear();
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    const uint64_t first = addresses[size_t(std::countr_zero(rest))];
    for (uint64_t sector = first / 32; sector <= (first + bytes - 1) / 32; ++sector)
      if (sectors.empty() || sectors.back() != sector) sectors.push_back(sector);
  }
  if (!std::is_sorted(sectors.begin(), sectors.end())) std::sort(sectors.begin(), sectors.end());
  sectors.erase(std::unique(sectors.begin(), sectors.end()), sectors.end());
}

}  // namespace warpbook
