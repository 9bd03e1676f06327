#include "model/access_cost.h"

#include <algorithm>
#include <bit>

#include "result/l1_path.h"

namespace warpbook {

uint32_t shared_passes(const LaneAddresses& addresses, uint32_t lanes, uint32_t bytes) {
  const uint32_t parts = bytes >= 16 ? 4 : bytes >= 8 ? 2 : 1;
  const uint32_t width = 32 / parts;
  uint32_t passes = 0;
  for (uint32_t part = 0; part < parts; ++part) {
    const uint32_t mask = width == 32 ? ~0u : ((1u << width) - 1) << (part * width);
    if (lanes & mask) passes += fullest_bank<32, 4>(addresses.data(), lanes & mask, bytes);
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
  const double bank = fullest_bank<16, 8>(addresses.data(), lanes, bytes);
  return std::max({width, bank, 0.265 * distinct_lines(addresses.data(), lanes, bytes)});
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
