#pragma once
// Ticks along the edges of a picture: elements or pixels counted from its corner, or the numbers that a zoom
// shows.
#include <string>
#include <vector>

#include "view/picture.h"
#include "view/plot.h"

namespace warpbook::view {

/// What the edges of a picture mean. `x` runs from left to right, `y` from top to bottom (its low end may be
/// above its high end: then it points up).
struct PictureAxes {
  PlotAxis x, y;
  bool whole = false;  ///< cells are counted: there is none between two of them
};
/// Columns and rows, counted from the upper left corner.
PictureAxes axes_of_cells(uint32_t columns, uint32_t rows);

/// A tick's words with as many decimals as neighbouring ticks need to differ.
std::string tick_words(double value, double step);
/// Round numbers between the ends, whichever is the larger one; `whole`: without fractions.
std::vector<double> picture_ticks(const PlotAxis& axis, int most, bool whole = false);

/// Pixels to be kept free left of and below the picture.
float room_left(const Painter& painter, const PictureAxes& axes);
float room_below(const Painter& painter);
void draw_axes(Painter& painter, const PictureAxes& axes, const Placed& place);

}  // namespace warpbook::view
