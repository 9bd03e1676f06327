#pragma once
// The pure step of `warp-lanes`: how full each warp was, blocks where the grid has them. In two dimensions a
// warp has the shape that its threads have in the picture.
#include <cstdint>
#include <vector>

#include "view/picture.h"
#include "view/view.h"

namespace warpbook::view {

struct WarpLanes {
  Pixels pixels;  ///< one pixel a warp; in two dimensions one a thread, where these are not too many
  std::vector<int32_t> warp_at;  ///< index into ViewInput::warps for each pixel, -1 = none
  double mean_share = 0;         ///< over all warp instructions
  double lowest_share = 1;
};

/// Share of lanes that were active, over a warp's instructions: 0..1.
double share_of(const WarpCounters& warp);

WarpLanes make_warp_lanes(const ViewInput& input);

}  // namespace warpbook::view
