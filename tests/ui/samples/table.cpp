// The table of samples, sorted by slug. A new view: a function in a file of this folder, its declaration and
// a row here.
#include "ui/view_sample.h"

namespace warpbook::ui {

void fill_active_mask(SampleRun& run);
void fill_bank_grid(SampleRun& run);
void fill_block_steps(SampleRun& run);
void fill_crossover(SampleRun& run);
void fill_halo_tile(SampleRun& run);
void fill_heat_map(SampleRun& run);
void fill_image(SampleRun& run);
void fill_lines(SampleRun& run);
void fill_matrix_diff(SampleRun& run);
void fill_memory_chart(SampleRun& run);
void fill_modelled_time(SampleRun& run);
void fill_numbers(SampleRun& run);
void fill_occupancy(SampleRun& run);
void fill_race_line(SampleRun& run);
void fill_reduction_tree(SampleRun& run);
void fill_roofline(SampleRun& run);
void fill_sector_map(SampleRun& run);
void fill_tape(SampleRun& run);
void fill_thread_map(SampleRun& run);
void fill_tile_walk(SampleRun& run);
void fill_time_bar(SampleRun& run);
void fill_warp_lanes(SampleRun& run);

const std::vector<ViewSample>& view_samples() {
  static const std::vector<ViewSample> table = {
      // A row each, so that two new views meet without a conflict.
      // clang-format off
      {"active-mask", fill_active_mask},
      {"bank-grid", fill_bank_grid},
      {"block-steps", fill_block_steps},
      {"crossover", fill_crossover},
      {"halo-tile", fill_halo_tile},
      {"heat-map", fill_heat_map},
      {"image", fill_image},
      {"lines", fill_lines},
      {"matrix-diff", fill_matrix_diff},
      {"memory-chart", fill_memory_chart},
      {"modelled-time", fill_modelled_time},
      {"numbers", fill_numbers},
      {"occupancy", fill_occupancy},
      {"race-line", fill_race_line},
      {"reduction-tree", fill_reduction_tree},
      {"roofline", fill_roofline},
      {"sector-map", fill_sector_map},
      {"tape", fill_tape},
      {"thread-map", fill_thread_map},
      {"tile-walk", fill_tile_walk},
      {"time-bar", fill_time_bar},
      {"warp-lanes", fill_warp_lanes},
      // clang-format on
  };
  return table;
}

}  // namespace warpbook::ui
