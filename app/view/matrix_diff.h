#pragma once
// The pure step of `matrix-diff`: a result matrix against a reference, computed here in double precision from
// its factors (options a, b, inner) or taken from another buffer (option reference).
#include <string>
#include <vector>

#include "view/picture.h"
#include "view/view.h"

namespace warpbook::view {

struct MatrixDiff {
  std::string problem;
  uint32_t rows = 0, columns = 0;
  std::vector<double> got, expected;
  double largest = 0;      ///< largest absolute difference among finite ones
  uint64_t worst = 0;      ///< its index
  uint64_t differing = 0;  ///< elements off by more than `tolerance` relative to the largest expected, or NaN
  Pixels pixels;           ///< |difference| through cividis, NaN grey
};

MatrixDiff make_matrix_diff(const ViewInput& input);

}  // namespace warpbook::view
