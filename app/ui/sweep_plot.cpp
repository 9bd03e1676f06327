#include "ui/sweep_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "view/colour.h"

namespace warpbook::ui {

namespace {

// Beyond this ratio of the ends an axis is logarithmic: small values would lie on one another.
constexpr double logarithmic_from = 8;

/// Everything of a point but what runs along x: "T=8, RTX 4090".
std::string rest_of(const SweepPoint& point, size_t axis, bool several_gpus) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < point.setting.size(); ++i)
    if (i != axis) parts.push_back(fmt::format("{}={}", point.setting[i].first, point.setting[i].second));
  if (several_gpus || parts.empty()) parts.push_back(point.gpu);
  return join(parts, ", ");
}

bool several_gpus(const SweepResult& swept) {
  return std::any_of(swept.points.begin(), swept.points.end(),
                     [&](const SweepPoint& point) { return point.gpu != swept.points.front().gpu; });
}

struct Range {
  double low = 0, high = 0;
  bool any = false;
  void take(double value) {
    low = any ? std::min(low, value) : value;
    high = any ? std::max(high, value) : value;
    any = true;
  }
  bool wide() const { return low > 0 && high / low >= logarithmic_from; }
};

void add_series(view::Plot& plot, const SweepResult& swept, size_t axis, const view::Style& style,
                bool ghost) {
  const bool gpus = several_gpus(swept);
  std::vector<std::string> names;
  for (const SweepPoint& point : swept.points) {
    if (!point.time || axis >= point.setting.size()) continue;
    const std::string name = rest_of(point, axis, gpus);
    const auto found = std::find(names.begin(), names.end(), name);
    const size_t place = size_t(found - names.begin());
    if (found == names.end()) {
      names.push_back(name);
      view::PlotSeries series;
      series.name = ghost ? fmt::format("{} before", name) : name;
      series.colour = view::faded(style.series[place % 8], ghost ? 0.35f : 1);
      plot.series.push_back(std::move(series));
    }
    view::PlotSeries& series = plot.series[plot.series.size() - names.size() + place];
    series.points.emplace_back(double(point.setting[axis].second), point.time->us);
  }
  for (size_t left = names.size(), first = plot.series.size() - left; left > 0; --left, ++first) {
    auto& points = plot.series[first].points;
    std::sort(points.begin(), points.end());
    if (ghost) continue;
    // Between two settings nothing was run: dots say where the points are, lines only lead the eye.
    view::PlotSeries dots = plot.series[first];
    dots.name.clear();
    dots.form = view::PlotSeries::Form::dots;
    plot.series.push_back(std::move(dots));
  }
}

}  // namespace

size_t swept_axis(const SweepResult& swept) {
  for (size_t i = 0; i < swept.axes.size(); ++i)
    if (swept.axes[i].values.size() > 1) return i;
  return 0;
}

view::Plot make_sweep_plot(const SweepResult& swept, const view::Style& style, const SweepPlotParts& parts) {
  view::Plot plot;
  const size_t axis = swept_axis(swept);
  if (axis >= swept.axes.size()) return plot;
  if (parts.ghost && swept_axis(*parts.ghost) < parts.ghost->axes.size())
    add_series(plot, *parts.ghost, swept_axis(*parts.ghost), style, true);
  const size_t ghosts = plot.series.size();
  add_series(plot, swept, axis, style, false);
  if (plot.series.size() == ghosts) return {};
  if (plot.series.size() == 2) plot.series.front().name.clear();  // a line and its dots: no legend for one
  Range x, y;
  for (const view::PlotSeries& series : plot.series)
    for (const auto& [value, us] : series.points) {
      x.take(value);
      y.take(us);
    }
  plot.x.label = swept.axes[axis].name;
  plot.x.logarithmic = x.wide();
  plot.x.low = plot.x.logarithmic ? x.low / 1.08 : x.low - (x.high - x.low) * 0.03;
  plot.x.high = plot.x.logarithmic ? x.high * 1.08 : x.high + (x.high - x.low) * 0.03;
  if (!(plot.x.high > plot.x.low)) plot.x.high = plot.x.low + 1;
  if (swept.axes[axis].values.size() <= 10)
    for (const int64_t value : swept.axes[axis].values) plot.x.ticks.push_back(double(value));
  plot.y.label = "modelled time, µs";
  plot.y.logarithmic = y.wide();
  plot.y.low = plot.y.logarithmic ? y.low / 1.3 : 0;
  plot.y.high = plot.y.logarithmic ? y.high * 1.3 : y.high * 1.12;
  if (!(plot.y.high > plot.y.low)) plot.y.high = plot.y.low + 1;
  if (parts.now)
    for (const SweepPoint& point : swept.points)
      if (point.time && axis < point.setting.size() && point.setting[axis].second == *parts.now)
        plot.marks.push_back({double(*parts.now), point.time->us, "", style.warning});
  return plot;
}

std::optional<int64_t> nearest_value(const SweepResult& swept, const view::Plot& plot, double x) {
  std::optional<int64_t> best;
  double distance = 0;
  const size_t axis = swept_axis(swept);
  for (const SweepPoint& point : swept.points) {
    if (axis >= point.setting.size()) continue;
    const int64_t value = point.setting[axis].second;
    const double away = std::fabs(view::along(plot.x, double(value)) - view::along(plot.x, x));
    if (best && away >= distance) continue;
    best = value;
    distance = away;
  }
  return best;
}

}  // namespace warpbook::ui
