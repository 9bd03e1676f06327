#pragma once
// Word wrap over runs of mixed style: pure layout from runs and a measure to placed pieces. Drawing walks the
// pieces.
#include <functional>
#include <string_view>
#include <vector>

#include "lesson/document.h"

namespace warpbook::ui {

/// A stretch of one run on one line.
struct Piece {
  size_t run = 0;
  size_t begin = 0, end = 0;  ///< bytes of the run's text
  float x = 0, width = 0;     ///< pixels from the block's left edge
  int line = 0;
};

struct Flow {
  std::vector<Piece> pieces;
  int lines = 0;
  float width = 0;  ///< of the longest line
};

using Measure = std::function<float(const Run& run, std::string_view text)>;

/// Breaks at spaces; a word longer than the line is broken between code points. Words that touch across a
/// change of style (a bold word and its comma) stay together. `first_indent` shifts the first line.
Flow flow_text(const std::vector<Run>& runs, float max_width, const Measure& measure, float first_indent = 0);

}  // namespace warpbook::ui
