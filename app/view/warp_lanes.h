#pragma once
// The pure step of `warp-lanes`: how full each warp was, as one cell a warp, blocks where the grid has them.
#include <cstdint>
#include <vector>

#include "view/picture.h"
#include "view/view.h"

namespace warpbook::view {

struct WarpLanes {
  Pixels pixels;                             ///< one pixel a warp
  std::vector<int32_t> warp_at;              ///< index into ViewInput::warps for each pixel, -1 = none
  uint32_t warps_per_block = 0, across = 1;  ///< warps of a block lie in rows of `across`
  double mean_share = 0;                     ///< over all warp instructions
  double lowest_share = 1;
};

/// Share of lanes that were active, over a warp's instructions: 0..1.
double share_of(const WarpCounters& warp);

WarpLanes make_warp_lanes(const ViewInput& input);

}  // namespace warpbook::view
