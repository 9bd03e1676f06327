#pragma once
// The pure step of `tile-walk`: which elements of A, B and C one warp has touched up to a step, and at it.
#include <cstdint>
#include <string>
#include <vector>

#include "view/view.h"

namespace warpbook::view {

struct WalkMatrix {
  std::string buffer;
  uint32_t rows = 0, columns = 0;
  std::vector<uint16_t> reads, writes;  ///< touches up to and including the step
  std::vector<uint8_t> now;             ///< lanes that touch it at the step
};

struct TileWalk {
  std::vector<WalkMatrix> matrices;  ///< A, B, C, those that options name
  size_t steps = 0;                  ///< global accesses recorded to these buffers
  std::string words;                 ///< what happens at the step
  int line = 0;
};

/// Options: a, b, c (buffer names) and n, or rows and columns of each (a_rows, a_columns, ...). `step` counts
/// the recorded accesses to them, clamped.
TileWalk make_tile_walk(const ViewInput& input, size_t step);

}  // namespace warpbook::view
