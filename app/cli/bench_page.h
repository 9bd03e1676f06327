#pragma once
// The reference page on the emulator's speed, from what `warpbook bench` measured.
#include <cstdint>
#include <string>
#include <vector>

#include "result/growth.h"

namespace warpbook::cli {

/// What one level takes.
struct BenchTime {
  std::string level;
  double milliseconds = 0;
  double ratio = 0;      ///< to native, within a round
  double lane_rate = 0;  ///< lane instructions a second
};

/// One work.
struct BenchRow {
  std::string name;
  double native_ms = 0;
  uint64_t thread_instructions = 0;
  std::vector<BenchTime> levels;
};

/// What the page tells. `size` is that of the matrices and pictures.
struct BenchPage {
  const std::vector<BenchRow>& rows;
  const GrowthTables& growth;
  int repeats = 0, size = 0;
  std::string instruction_set;
  std::string picture;  ///< file beside the page; empty = none was drawn
};
std::string as_page(const BenchPage& page);

}  // namespace warpbook::cli
