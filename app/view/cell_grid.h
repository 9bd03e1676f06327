#pragma once
// The one cell grid widget: equal cells in rows, each with a colour, an outline, a word.
#include <optional>
#include <string>
#include <vector>

#include "view/paint.h"

namespace warpbook::view {

struct Cell {
  uint32_t colour = 0;  ///< 0 = empty: only its outline shows
  std::string words;    ///< inside, where it fits
};

struct CellGrid {
  int columns = 1;
  std::vector<Cell> cells;  ///< row by row
  float gap = 2;            ///< dp between cells
  float most = 28;          ///< dp: largest side of a cell
};

/// Columns for `count` cells in an area of that shape, a power of two or a divisor of the count.
int columns_for(int count, float width, float height);
/// Draws as large as fits; the height that was used. `hovered`: the cell under the mouse.
float draw_cells(Painter& painter, const CellGrid& grid, const DrawArea& area,
                 std::optional<size_t>* hovered);

}  // namespace warpbook::view
