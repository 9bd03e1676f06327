#include "view/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "view/colour.h"

namespace warpbook::view {

namespace {

std::vector<double> linear_ticks(double low, double high, int most) {
  std::vector<double> ticks;
  if (!(high > low) || most < 1) return ticks;
  double step = std::pow(10.0, std::floor(std::log10((high - low) / most)));
  for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
    if ((high - low) / (step * factor) > most) continue;
    step *= factor;
    break;
  }
  for (double k = std::ceil(low / step - 1e-9); k * step <= high * (1 + 1e-12) + step * 1e-9; ++k)
    ticks.push_back(k == 0 ? 0 : k * step);  // never -0
  return ticks;
}

std::vector<double> logarithmic_ticks(double low, double high, int most) {
  std::vector<double> ticks;
  if (!(low > 0) || !(high > low)) return ticks;
  const double decades = std::log10(high / low);
  const bool between = decades * 3 <= most;
  const int every = std::max(1, int(std::ceil(decades / most)));
  for (int power = int(std::floor(std::log10(low))); power <= int(std::ceil(std::log10(high))); ++power) {
    if (power % every != 0) continue;
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double value = factor * std::pow(10.0, power);
      if ((factor == 1 || between) && value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9))
        ticks.push_back(value);
    }
  }
  return ticks;
}

}  // namespace

std::vector<double> axis_ticks(const PlotAxis& axis, int most) {
  if (!axis.ticks.empty()) return axis.ticks;
  return axis.logarithmic ? logarithmic_ticks(axis.low, axis.high, most)
                          : linear_ticks(axis.low, axis.high, most);
}

double along(const PlotAxis& axis, double value) {
  if (axis.logarithmic) {
    if (!(value > 0)) return 0;
    return std::log(value / axis.low) / std::log(axis.high / axis.low);
  }
  return (value - axis.low) / (axis.high - axis.low);
}

double value_at(const PlotAxis& axis, double share) {
  return axis.logarithmic ? axis.low * std::pow(axis.high / axis.low, share)
                          : axis.low + share * (axis.high - axis.low);
}

std::optional<double> series_at(const PlotSeries& series, double x) {
  const auto after = std::upper_bound(series.points.begin(), series.points.end(), x,
                                      [](double at, const auto& point) { return at < point.first; });
  if (after == series.points.begin()) return std::nullopt;
  const auto before = after - 1;
  if (series.form != PlotSeries::Form::line || before->first == x) return before->second;
  if (after == series.points.end()) return std::nullopt;
  const double share = (x - before->first) / (after->first - before->first);
  return before->second + share * (after->second - before->second);
}

std::string tick_text(double value) {
  const double size = std::fabs(value);
  if (size >= 1e9) return fmt::format("{:g} G", value / 1e9);
  if (size >= 1e6) return fmt::format("{:g} M", value / 1e6);
  if (size >= 1e4) return fmt::format("{:g} k", value / 1e3);
  return fmt::format("{:.4g}", value);
}

namespace {

/// A plot in its place: pixels of values.
struct Placed {
  const Plot& plot;
  DrawArea inner;
  float x(double value) const {
    return inner.x + inner.width * float(std::clamp(along(plot.x, value), 0.0, 1.0));
  }
  float y(double value) const {
    return inner.y + inner.height * (1 - float(std::clamp(along(plot.y, value), 0.0, 1.0)));
  }
};

void draw_axes(Painter& painter, const Placed& placed, const std::vector<double>& ticks_y) {
  const Style& style = painter.style();
  const DrawArea& in = placed.inner;
  for (const double tick : ticks_y) {
    const float y = placed.y(tick);
    painter.line(in.x, y, in.x + in.width, y, faded(style.line, 0.7f));
    painter.text_right(in.x - painter.dp(6), y - painter.line_height() / 2, tick_text(tick), style.muted);
  }
  const int most_x = std::max(2, int(in.width / painter.dp(48)));
  float free_from = -1e9f;
  for (const double tick : axis_ticks(placed.plot.x, most_x)) {
    const float x = placed.x(tick), half = painter.width_of(tick_text(tick)) / 2;
    painter.line(x, in.y + in.height, x, in.y + in.height + painter.dp(4), style.line);
    if (x - half < free_from) continue;  // words would run into each other
    painter.text_centred(x, in.y + in.height + painter.dp(5), tick_text(tick), style.muted);
    free_from = x + half + painter.dp(6);
  }
  painter.line(in.x, in.y, in.x, in.y + in.height, style.line);
  painter.line(in.x, in.y + in.height, in.x + in.width, in.y + in.height, style.line);
}

void draw_series(Painter& painter, const Placed& placed, const PlotSeries& series) {
  const float thick = painter.dp(2);
  const auto& points = series.points;
  for (size_t i = 0; i < points.size(); ++i) {
    const float x = placed.x(points[i].first), y = placed.y(points[i].second);
    if (series.form == PlotSeries::Form::dots) {
      painter.box(x - painter.dp(2.5f), y - painter.dp(2.5f), painter.dp(5), painter.dp(5), series.colour,
                  painter.dp(2.5f));
      continue;
    }
    if (series.form == PlotSeries::Form::bars) {
      const float width = std::max(painter.dp(2), placed.inner.width / float(points.size()) * 0.7f);
      const float foot = placed.inner.y + placed.inner.height;
      painter.box(x - width / 2, y, width, std::max(foot - y, 1.f), series.colour, painter.dp(2));
      continue;
    }
    if (i + 1 == points.size()) continue;
    const float next_x = placed.x(points[i + 1].first), next_y = placed.y(points[i + 1].second);
    if (series.form == PlotSeries::Form::steps) {
      painter.line(x, y, next_x, y, series.colour, thick);
      painter.line(next_x, y, next_x, next_y, series.colour, thick);
    } else {
      painter.line(x, y, next_x, next_y, series.colour, thick);
    }
  }
}

}  // namespace

std::optional<PlotHover> draw_plot(Painter& painter, const Plot& plot, const DrawArea& area) {
  const Style& style = painter.style();
  const float caption = painter.line_height();
  float top = area.y;
  if (!plot.title.empty()) {
    painter.text_fitted(area.x, top, area.width, plot.title, style.ink);
    top += caption + painter.dp(2);
  }
  if (!plot.y.label.empty()) {
    painter.text_fitted(area.x, top, area.width, plot.y.label, style.muted);
    top += caption + painter.dp(2);
  }
  float bottom = area.y + area.height;
  std::vector<Painter::LegendEntry> legend;
  for (const PlotSeries& series : plot.series)
    if (!series.name.empty()) legend.push_back({series.colour, series.name});
  if (!legend.empty()) bottom -= caption + painter.dp(4);
  if (!plot.x.label.empty()) bottom -= caption;
  bottom -= caption + painter.dp(6);

  const int most_y = std::max(2, int((bottom - top) / painter.dp(28)));
  const std::vector<double> ticks_y = axis_ticks(plot.y, most_y);
  float margin = 0;
  for (const double tick : ticks_y) margin = std::max(margin, painter.width_of(tick_text(tick)));
  margin += painter.dp(8);
  const Placed placed{plot,
                      {area.x + margin, top + painter.dp(4), area.width - margin - painter.dp(8),
                       std::max(painter.dp(20), bottom - top - painter.dp(4))}};
  draw_axes(painter, placed, ticks_y);
  for (const PlotSeries& series : plot.series) draw_series(painter, placed, series);
  for (const PlotMark& mark : plot.marks) {
    const float x = placed.x(mark.x), y = placed.y(mark.y), half = painter.dp(5);
    painter.box(x - half, y - half, 2 * half, 2 * half, mark.colour, half);
    painter.outline(x - half, y - half, 2 * half, 2 * half, style.paper, painter.dp(1.5f), half);
    if (mark.words.empty()) continue;
    const float width = painter.width_of(mark.words);
    const bool left = x + half + painter.dp(4) + width > placed.inner.x + placed.inner.width;
    const float at = left ? x - half - painter.dp(4) - width : x + half + painter.dp(4);
    // Below: what bounds a point, such as a roof, runs above it.
    painter.text(at, y + painter.dp(2), mark.words, style.ink);
  }
  float y = placed.inner.y + placed.inner.height + caption + painter.dp(6);
  if (!plot.x.label.empty()) {
    painter.text_fitted(placed.inner.x, y, placed.inner.width, plot.x.label, style.muted);
    y += caption;
  }
  if (!legend.empty()) painter.legend(placed.inner.x, y + painter.dp(4), placed.inner.width, legend);

  if (!painter.hovered(placed.inner.x, placed.inner.y, placed.inner.width, placed.inner.height))
    return std::nullopt;
  const double share = double(ImGui::GetIO().MousePos.x - placed.inner.x) / double(placed.inner.width);
  const PlotHover hover{value_at(plot.x, std::clamp(share, 0.0, 1.0)), ImGui::IsMouseDown(0)};
  painter.line(placed.x(hover.x), placed.inner.y, placed.x(hover.x), placed.inner.y + placed.inner.height,
               faded(style.accent, 0.6f));
  return hover;
}

}  // namespace warpbook::view
