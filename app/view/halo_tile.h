#pragma once
// The pure step of `halo-tile`: a tile in shared memory, cell by cell: which element of the array came there,
// which lane brought it and in which round, and who reads it.
#include <cstdint>
#include <string>
#include <vector>

#include "view/view.h"

namespace warpbook::view {

struct TileCell {
  int64_t source = -1;  ///< index in the array that the cell was loaded from; -1 = written without a load
  int lane = -1;        ///< who filled it; -1 = not filled up to the step, by the recorded warp
  int round = 0;        ///< how many stores into the tile this lane had made before, plus one
  uint32_t reads = 0;   ///< lanes that read it up to the step
  bool now = false;     ///< touched at the step
};

struct HaloTile {
  std::vector<TileCell> cells;
  std::vector<int> lane_cell;  ///< for each lane the cell it touches at the step, or -1
  size_t steps = 0;            ///< accesses to the tile that were recorded
  bool storing = false;        ///< the step fills cells, else it reads them
  int64_t filled = 0;          ///< cells filled up to the step
  uint32_t halo = 0;           ///< cells at each end that lie outside the block's own stretch
  int line = 0;
  std::string words;  ///< what happens at the step
};

/// Options: `tile` (the shared array), `from` (the array it is loaded from), `cells` (length of the tile) and
/// `halo` (cells at each end).
HaloTile make_halo_tile(const ViewInput& input, size_t step);

}  // namespace warpbook::view
