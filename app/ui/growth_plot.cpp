#include "ui/growth_plot.h"

#include <algorithm>

namespace warpbook::ui {

namespace {

/// A line through dots. `x` and `y` begin at 0 unless they are logarithmic: what is said to be proportional,
/// or flat, must be seen to be.
view::Plot plot_of(const char* title, view::PlotAxis x, view::PlotAxis y,
                   std::vector<std::pair<double, double>> points, const view::Style& style) {
  view::Plot plot;
  plot.title = title;
  std::sort(points.begin(), points.end());
  for (const auto& [across, up] : points) {
    x.high = std::max(x.high, across);
    y.high = std::max(y.high, up * 1.1);
  }
  plot.x = std::move(x);
  plot.y = std::move(y);
  for (const auto form : {view::PlotSeries::Form::line, view::PlotSeries::Form::dots}) {
    view::PlotSeries series;
    series.form = form;
    series.colour = style.series[0];
    series.points = points;
    plot.series.push_back(std::move(series));
  }
  return plot;
}

view::PlotAxis from_zero(const char* label) { return {label, 0, 0, false, {}}; }

}  // namespace

std::vector<view::Plot> make_growth_plots(const GrowthTables& growth, const view::Style& style) {
  std::vector<std::pair<double, double>> work, registers, memory;
  for (const Growth& row : growth.work)
    work.emplace_back(double(row.thread_instructions) * 1e-6, row.milliseconds);
  view::PlotAxis steps{"steps that the loop was unrolled by", 1, 1, true, {}};
  for (const Growth& row : growth.registers) {
    registers.emplace_back(row.amount,
                           row.milliseconds * 1e6 / double(std::max<uint64_t>(row.thread_instructions, 1)));
    steps.ticks.push_back(row.amount);
  }
  double kept = 0;
  for (const Growth& row : growth.shadow) {
    kept += row.kilobytes;
    memory.emplace_back(row.amount / 1024, kept / 1024);
  }
  return {
      plot_of("Mandelbrot with more iterations", from_zero("million lane instructions"), from_zero("ms"),
              work, style),
      plot_of("One loop with more registers", steps, from_zero("ns a lane instruction"), registers, style),
      plot_of("Memory at level check", from_zero("MiB that the kernel wrote"), from_zero("MiB kept beside"),
              memory, style)};
}

}  // namespace warpbook::ui
