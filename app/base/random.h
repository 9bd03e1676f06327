#pragma once
// Numbers that look random and are the same on every machine.
#include <cstdint>

namespace warpbook {

/// splitmix64 (G. Steele, D. Lea, C. Flood, OOPSLA 2014): a well-mixed number for each state.
inline uint64_t next_random(uint64_t& state) {
  state += 0x9e3779b97f4a7c15ull;
  uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

}  // namespace warpbook
