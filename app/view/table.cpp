// The table of visualisers, sorted by slug. A new one is a file, a line in visualisers.h and a row here.
#include "view/visualisers.h"

namespace warpbook::view {

const std::vector<Visualiser>& visualisers() {
  static const std::vector<Visualiser> table = {
      // A row each, so that two new views meet without a conflict.
      // clang-format off
      active_mask_view,
      bank_grid_view,
      block_steps_view,
      crossover_view,
      halo_tile_view,
      heat_map_view,
      image_view,
      lines_view,
      matrix_diff_view,
      memory_chart_view,
      modelled_time_view,
      numbers_view,
      occupancy_view,
      race_line_view,
      reduction_tree_view,
      roofline_view,
      sector_map_view,
      tape_view,
      thread_map_view,
      tile_walk_view,
      time_bar_view,
      warp_lanes_view,
      // clang-format on
  };
  return table;
}

const Visualiser* visualiser(std::string_view slug) {
  for (const Visualiser& one : visualisers()) {
    if (one.slug == slug) return &one;
  }
  return nullptr;
}

}  // namespace warpbook::view
