#include "view/image_axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warpbook::view {

namespace {

constexpr int most_ticks = 5;
constexpr int most_decimals = 9;

double step_of_ticks(const std::vector<double>& ticks) {
  return ticks.size() < 2 ? 1 : std::fabs(ticks[1] - ticks[0]);
}

}  // namespace

PictureAxes axes_of_cells(uint32_t columns, uint32_t rows) {
  PictureAxes axes;
  axes.x.high = columns;
  axes.y.high = rows;
  axes.whole = true;
  return axes;
}

std::string tick_words(double value, double step) {
  const int decimals = step > 0 ? std::clamp(int(std::ceil(-std::log10(step) - 1e-9)), 0, most_decimals) : 0;
  const double size = std::pow(10.0, -decimals);
  if (std::fabs(value) < size / 2) value = 0;  // no minus before a zero
  std::string words = fmt::format("{:.{}f}", std::fabs(value), decimals);
  return value < 0 ? "−" + words : words;
}

std::vector<double> picture_ticks(const PlotAxis& axis, int most, bool whole) {
  PlotAxis rising = axis;
  if (rising.low > rising.high) std::swap(rising.low, rising.high);
  std::vector<double> ticks = axis_ticks(rising, most);
  if (whole) {
    const auto between = [](double tick) { return std::fabs(tick - std::round(tick)) > 1e-6; };
    ticks.erase(std::remove_if(ticks.begin(), ticks.end(), between), ticks.end());
  }
  return ticks;
}

float room_left(const Painter& painter, const PictureAxes& axes) {
  const std::vector<double> ticks = picture_ticks(axes.y, most_ticks, axes.whole);
  float widest = 0;
  for (const double tick : ticks)
    widest = std::max(widest, painter.width_of(tick_words(tick, step_of_ticks(ticks))));
  return widest + painter.dp(10);
}

float room_below(const Painter& painter) { return painter.line_height() + painter.dp(6); }

void draw_axes(Painter& painter, const PictureAxes& axes, const Placed& place) {
  const uint32_t words = painter.style().muted, mark = painter.style().line;
  const float length = painter.dp(4), half = painter.line_height() / 2;
  const std::vector<double> down = picture_ticks(axes.y, most_ticks, axes.whole);
  float last_y = -1e9f;  // labels must not run into each other, whichever way the axis points
  for (const double tick : down) {
    const float y = place.y + float(along(axes.y, tick)) * place.height;
    painter.line(place.x - length, y, place.x - 1, y, mark);
    if (std::fabs(y - last_y) < 2 * half) continue;
    last_y = y;
    painter.text_right(place.x - length - painter.dp(3), std::max(y - half, place.y - half),
                       tick_words(tick, step_of_ticks(down)), words);
  }
  const std::vector<double> across = picture_ticks(axes.x, most_ticks, axes.whole);
  float free_from = place.x - painter.dp(40);  // labels must not run into each other
  for (const double tick : across) {
    const float x = place.x + float(along(axes.x, tick)) * place.width;
    painter.line(x, place.y + place.height + 1, x, place.y + place.height + length, mark);
    const std::string text = tick_words(tick, step_of_ticks(across));
    const float width = painter.width_of(text);
    if (x - width / 2 < free_from) continue;
    painter.text_centred(x, place.y + place.height + length, text, words);
    free_from = x + width / 2 + painter.dp(6);
  }
}

}  // namespace warpbook::view
