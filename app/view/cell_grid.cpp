#include "view/cell_grid.h"

#include <algorithm>
#include <cmath>

namespace warpbook::view {

int columns_for(int count, float width, float height) {
  int best = std::max(1, count);
  float largest = 0;
  for (int columns = 1; columns <= count; ++columns) {
    if (count % columns != 0) continue;
    const int rows = count / columns;
    const float side = std::min(width / float(columns), height / float(rows));
    if (side < largest) continue;
    largest = side;
    best = columns;
  }
  return best;
}

float draw_cells(Painter& painter, const CellGrid& grid, const DrawArea& area,
                 std::optional<size_t>* hovered) {
  const int columns = std::max(1, grid.columns), count = int(grid.cells.size());
  const int rows = (count + columns - 1) / columns;
  if (rows == 0) return 0;
  const float gap = painter.dp(grid.gap);
  const float side = std::min({painter.dp(grid.most), (area.width + gap) / float(columns) - gap,
                               (area.height + gap) / float(rows) - gap});
  if (side < 1) return 0;
  const float radius = std::min(painter.dp(3), side / 4);
  for (int i = 0; i < count; ++i) {
    const float x = area.x + float(i % columns) * (side + gap),
                y = area.y + float(i / columns) * (side + gap);
    const Cell& cell = grid.cells[size_t(i)];
    if (cell.colour) {
      painter.box(x, y, side, side, cell.colour, radius);
    } else {
      painter.outline(x, y, side, side, painter.style().line, 1, radius);
    }
    if (!cell.words.empty() && painter.width_of(cell.words) <= side)
      // A line is 1.35 of its letters' height: they stand in the middle, not the line.
      painter.text_centred(x + side / 2, y + (side - painter.line_height() / 1.35f) / 2, cell.words,
                           painter.style().paper);
    if (hovered && painter.hovered(x, y, side, side)) *hovered = size_t(i);
  }
  return float(rows) * (side + gap) - gap;
}

}  // namespace warpbook::view
