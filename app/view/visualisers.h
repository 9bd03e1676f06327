#pragma once
// One line a visualiser; table.cpp has their rows.
#include "view/view.h"

namespace warpbook::view {

extern const Visualiser active_mask_view;
extern const Visualiser bank_grid_view;
extern const Visualiser block_steps_view;
extern const Visualiser crossover_view;
extern const Visualiser halo_tile_view;
extern const Visualiser heat_map_view;
extern const Visualiser image_view;
extern const Visualiser lines_view;
extern const Visualiser matrix_diff_view;
extern const Visualiser memory_chart_view;
extern const Visualiser modelled_time_view;
extern const Visualiser numbers_view;
extern const Visualiser occupancy_view;
extern const Visualiser race_line_view;
extern const Visualiser reduction_tree_view;
extern const Visualiser roofline_view;
extern const Visualiser sector_map_view;
extern const Visualiser tape_view;
extern const Visualiser thread_map_view;
extern const Visualiser tile_walk_view;
extern const Visualiser time_bar_view;
extern const Visualiser warp_lanes_view;

}  // namespace warpbook::view
