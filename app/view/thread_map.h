#pragma once
// The pure step of `thread-map`: which element was written by whom, and which thread had what to do.
#include <cstdint>
#include <string>
#include <vector>

#include "view/view.h"

namespace warpbook::view {

struct ThreadMap {
  enum class Cell : uint8_t { uncovered, covered, twice };
  enum class Lane : uint8_t { idle, writes, out_of_range };
  std::string buffer;
  uint32_t columns = 32;  ///< of the element picture
  std::vector<Cell> elements;
  std::vector<int64_t> writer;  ///< a thread for each element, -1 = nobody
  std::vector<uint8_t> times;
  std::vector<Lane> threads;  ///< by thread number, at most `thread_limit`
  std::vector<int64_t>
      element_of;            ///< the element a thread wrote (the lowest), -1 = none; out of range: its index
  uint64_t all_threads = 0;  ///< may be more than `threads` holds
  uint64_t covered = 0, twice = 0, uncovered = 0, out_of_range = 0;
};

inline constexpr size_t thread_limit = 1 << 16;

/// Empty when the run has no write map of that buffer.
ThreadMap make_thread_map(const ViewInput& input);

}  // namespace warpbook::view
