#pragma once
// The one plot widget: axes linear or logarithmic with ticks at 1, 2 and 5, series as lines, steps, dots or
// bars, marks with words, a legend, the value under the mouse. What it shows is plain data; drawing is dumb.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "view/paint.h"

namespace warpbook::view {

struct PlotAxis {
  std::string label;
  double low = 0, high = 1;
  bool logarithmic = false;   ///< low must be above 0
  std::vector<double> ticks;  ///< empty = at 1, 2, 5
};

struct PlotSeries {
  enum class Form { line, steps, dots, bars };
  std::string name;  ///< in the legend; empty = not there
  uint32_t colour = 0;
  Form form = Form::line;
  std::vector<std::pair<double, double>> points;  ///< ascending in x
};

struct PlotMark {
  double x = 0, y = 0;
  std::string words;  ///< beside it
  uint32_t colour = 0;
};

struct Plot {
  std::string title;
  PlotAxis x, y;
  std::vector<PlotSeries> series;
  std::vector<PlotMark> marks;
};

/// Round numbers from low to high, at most `most` of them where the axis is linear: steps of 1, 2 or 5 times
/// a power of ten. Of a logarithmic axis the powers of ten, and 2 and 5 times them where there is room.
std::vector<double> axis_ticks(const PlotAxis& axis, int most);
/// 0..1 along the axis, not clamped.
double along(const PlotAxis& axis, double value);
double value_at(const PlotAxis& axis, double share);
/// The series' value at x: of steps the last point at or before it, of lines in between; nothing outside.
std::optional<double> series_at(const PlotSeries& series, double x);
/// "1.5 k", "32", "0.25": short, for ticks.
std::string tick_text(double value);

struct PlotHover {
  double x = 0;
  bool pressed = false;  ///< the left button is down
};
/// Draws into `area`; the x value under the mouse when it is over the plot.
std::optional<PlotHover> draw_plot(Painter& painter, const Plot& plot, const DrawArea& area);

}  // namespace warpbook::view
