#pragma once
// The pure step of `reduction-tree`: the additions that one warp makes in shared memory, level by level:
// which lanes add, which stand idle, and whose sums they add.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "view/view.h"

namespace warpbook::view {

struct TreeLevel {
  int line = 0;
  uint32_t mask = 0;                  ///< lanes that store in this level
  std::array<int64_t, 32> cell{};     ///< where each of them stores
  std::array<int64_t, 32> partner{};  ///< the other cell it read; -1 = none
  /// The lane of this warp that stored last into the partner cell before this level; -1 = another warp's.
  std::array<int, 32> partner_lane{};
};

struct ReductionTree {
  std::vector<TreeLevel> levels;  ///< level 0 fills the array
  int all_lanes = 0;              ///< of the warp: those that fill a cell
};

/// Option: `tile`, the shared array.
ReductionTree make_reduction_tree(const ViewInput& input);
/// "level 3, line 14: 4 lanes add, 28 stand idle".
std::string level_words(const ReductionTree& tree, size_t level);

}  // namespace warpbook::view
