#pragma once
// Two texts line by line: what stayed, what went, what came. The longest common subsequence, so that an edit
// in the middle does not mark everything after it.
#include <string>
#include <string_view>
#include <vector>

namespace warpbook::ui {

struct DiffLine {
  enum class Kind { same, removed, added } kind = Kind::same;
  int before = 0, after = 0;  ///< line numbers from 1; 0 = not in that text
  std::string text;
};

/// Lines in the order of reading: where both changed, what went stands before what came. Spaces at the end of
/// a line do not count.
std::vector<DiffLine> line_diff(std::string_view before, std::string_view after);

}  // namespace warpbook::ui
