#pragma once
// The pure step of `occupancy`: the places of an SM and who has them, what each resource is filled to, and
// the three curves with the current launch on them.
#include <string>
#include <vector>

#include "view/plot.h"
#include "view/view.h"

namespace warpbook::view {

struct ResourceBar {
  std::string name;   ///< "registers"
  double share = 0;   ///< of it that the resident blocks take, 0..1
  std::string words;  ///< "40,960 of 65,536"
  bool limits = false;
};

struct OccupancyCells {
  std::vector<int> places;  ///< by place for a warp: number of the block that has it, -1 = empty
  int blocks = 0;
  int given = 0;         ///< blocks that the grid has for an SM: fewer than fit when it is small
  std::string headline;  ///< "8 blocks an SM, 100 % occupancy"
  std::string words;     ///< what limits
  std::string grid;      ///< what the grid's size says; empty when it fills the SMs
  std::vector<ResourceBar> bars;
};
/// `grid_blocks` over `sms`: how many blocks there are for each; 0 = not known, as many as fit.
OccupancyCells make_occupancy_cells(const OccupancyPicture& picture, int64_t grid_blocks = 0, int sms = 0);

/// Active warps over threads a block (0), registers a thread (1) or shared bytes a block (2).
Plot make_occupancy_plot(const OccupancyPicture& picture, int which, const Style& style);

/// What the learner may turn: threads a block, registers a thread, dynamic shared bytes a block.
struct WhatIf {
  const char* name;  ///< in ViewState::numbers
  int64_t low, high, unit;
};
WhatIf what_if(const OccupancyPicture& picture, int which);

/// The launch that the learner asks about: the run's, with what was dragged in the curves instead.
OccupancyQuestion asked_question(const OccupancyPicture& picture, const ViewState& state);

}  // namespace warpbook::view
