#include "ui/line_diff.h"

#include <algorithm>
#include <cstdint>

#include "base/text.h"

namespace warpbook::ui {

namespace {

// The table of the longest common subsequence has a cell a pair of lines; answers to exercises stay far
// below.
constexpr size_t most_cells = 4u << 20;

std::vector<std::string_view> trimmed_lines(std::string_view text) {
  std::vector<std::string_view> lines = lines_of(text);
  for (std::string_view& line : lines) {
    while (!line.empty() && (line.back() == ' ' || line.back() == '\t' || line.back() == '\r'))
      line.remove_suffix(1);
  }
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

}  // namespace

std::vector<DiffLine> line_diff(std::string_view before, std::string_view after) {
  using Kind = DiffLine::Kind;
  const std::vector<std::string_view> a = trimmed_lines(before), b = trimmed_lines(after);
  size_t head = 0, tail = 0;
  while (head < a.size() && head < b.size() && a[head] == b[head]) ++head;
  while (tail + head < a.size() && tail + head < b.size() && a[a.size() - 1 - tail] == b[b.size() - 1 - tail])
    ++tail;
  const size_t rows = a.size() - head - tail, columns = b.size() - head - tail;
  // length[i][j]: of the common subsequence of what is left from row i and column j on.
  std::vector<uint32_t> length;
  const bool exact = (rows + 1) * (columns + 1) <= most_cells;
  if (exact) {
    length.assign((rows + 1) * (columns + 1), 0);
    for (size_t i = rows; i-- > 0;) {
      for (size_t j = columns; j-- > 0;) {
        uint32_t& cell = length[i * (columns + 1) + j];
        cell = a[head + i] == b[head + j]
                   ? length[(i + 1) * (columns + 1) + j + 1] + 1
                   : std::max(length[(i + 1) * (columns + 1) + j], length[i * (columns + 1) + j + 1]);
      }
    }
  }
  std::vector<DiffLine> lines;
  const auto add = [&lines, &a, &b](Kind kind, size_t i, size_t j) {
    DiffLine line;
    line.kind = kind;
    if (kind != Kind::added) line.before = int(i) + 1;
    if (kind != Kind::removed) line.after = int(j) + 1;
    line.text = std::string(kind == Kind::removed ? a[i] : b[j]);
    lines.push_back(std::move(line));
  };
  for (size_t i = 0; i < head; ++i) add(Kind::same, i, i);
  size_t i = 0, j = 0;
  while (i < rows || j < columns) {
    const bool same = exact && i < rows && j < columns && a[head + i] == b[head + j];
    if (same) {
      add(Kind::same, head + i++, head + j++);
    } else if (j >= columns || (i < rows && (!exact || length[(i + 1) * (columns + 1) + j] >=
                                                           length[i * (columns + 1) + j + 1]))) {
      add(Kind::removed, head + i, head + j);
      ++i;
    } else {
      add(Kind::added, head + i, head + j);
      ++j;
    }
  }
  for (size_t k = 0; k < tail; ++k) add(Kind::same, a.size() - tail + k, b.size() - tail + k);
  return lines;
}

}  // namespace warpbook::ui
