#pragma once
// What L1's data path and the banks of shared memory see of one warp-wide access, from its addresses alone.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace warpbook {

/// The most distinct words in one bank, over the words that `lanes` touch. `addresses`: 32.
template <uint32_t Banks, uint32_t WordBytes>
uint32_t fullest_bank(const uint64_t* addresses, uint32_t lanes, uint32_t bytes) {
  std::array<uint64_t, 32 * 5> words;
  size_t count = 0;
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    const uint64_t first = addresses[std::countr_zero(rest)];
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

/// Distinct lines of 128 bytes.
uint32_t distinct_lines(const uint64_t* addresses, uint32_t lanes, uint32_t bytes);

/// The width of L1's data path as l1_thousandths() takes it: 2^16 times the thousandths of a cycle that a
/// byte costs. Exact for the widths of today's GPUs, 64 and 128.
inline uint32_t l1_byte_cost(double bytes_per_clock) {
  return uint32_t(1000 * 65536 / std::max(1.0, bytes_per_clock));
}

/// Thousandths of a cycle of L1's data path for an access to global or local memory: the largest of what its
/// width lets through (`byte_cost`: l1_byte_cost), what 16 banks of 8 bytes let through (`bank`), and 0.265
/// a line. The three fit the strides 0 to 64 that gpu-benches measured on an A100, an A40 and an H200 within
/// 9 % on average.
inline uint32_t l1_thousandths(uint32_t requested_bytes, uint32_t bank, uint32_t lines, uint32_t byte_cost) {
  return std::max({1000u, uint32_t(uint64_t(requested_bytes) * byte_cost >> 16), bank * 1000u, lines * 265u});
}

}  // namespace warpbook
