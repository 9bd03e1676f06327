#pragma once
// Places in a grid or a block, x fastest, as numbers and as words.
#include <fmt/format.h>

#include <string>

#include "result/launch.h"

namespace warpbook {

inline uint64_t linear_in(const Dim3& place, const Dim3& size) {
  return place.x + uint64_t(size.x) * (place.y + uint64_t(size.y) * place.z);
}

inline Dim3 place_in(uint64_t linear, const Dim3& size) {
  return {uint32_t(linear % size.x), uint32_t(linear / size.x % size.y), uint32_t(linear / size.x / size.y)};
}

inline std::string text_of(const Dim3& d) { return fmt::format("({}, {}, {})", d.x, d.y, d.z); }

}  // namespace warpbook
