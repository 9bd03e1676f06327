#pragma once
// The pure step of `lines`: the kernel's source with its counters a line.
#include <string>
#include <vector>

#include "view/view.h"

namespace warpbook::view {

struct LineRow {
  int line = 0;
  std::string text;
  uint64_t warp_instructions = 0;
  double share = 0;         ///< of all warp instructions
  double active_share = 0;  ///< of lanes, 0 when nothing ran
  double sectors = 0;       ///< a request to global memory; 0 = none
  double passes = 0;        ///< a request to shared memory; 0 = none
};

/// Every line of the source between the first and the last one that ran, a few around them included.
std::vector<LineRow> make_line_rows(const ViewInput& input);

}  // namespace warpbook::view
