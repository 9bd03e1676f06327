#pragma once
// The pure step of `active-mask`: one warp's recorded accesses as rows of 32 lanes, those that take part and
// those that wait.
#include <cstdint>
#include <string>
#include <vector>

#include "view/view.h"

namespace warpbook::view {

struct ActiveMask {
  struct Row {
    uint32_t mask = 0;
    int line = 0;
    size_t access = 0;  ///< its place in the recording
  };
  uint32_t present = 0;       ///< lanes that take part in any of them; the others have no thread
  std::vector<Row> rows;      ///< in the order of execution
  std::vector<int> lines;     ///< the source lines that occur, ascending: each has a colour
  uint64_t active_lanes = 0;  ///< over all rows

  /// Of 32 lanes in each row, 0..1.
  double share() const;
  /// Place of a row's line in `lines`.
  size_t colour_of(const Row& row) const;
};

/// Option `spaces`: a list of global, shared, local; global alone when absent.
ActiveMask make_active_mask(const ViewInput& input);

/// The window of rows that is on screen when `step` is to be seen and `fits` rows have room: first row.
size_t first_row_shown(size_t rows, size_t fits, size_t step);

}  // namespace warpbook::view
