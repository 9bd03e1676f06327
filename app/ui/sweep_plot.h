#pragma once
// A sweep as a plot: modelled time over the value that was varied, a curve for each GPU and each setting of
// the rest.
#include <optional>
#include <string>

#include "lab/sweep.h"
#include "view/plot.h"

namespace warpbook::ui {

struct SweepPlotParts {
  const SweepResult* ghost = nullptr;  ///< the sweep before: drawn faint, on the same axes
  std::optional<int64_t> now;          ///< the value that the lab stands at
};

/// Which of a sweep's axes runs along x: the first with several values.
size_t swept_axis(const SweepResult& swept);
/// Without a series when no point has a time.
view::Plot make_sweep_plot(const SweepResult& swept, const view::Style& style,
                           const SweepPlotParts& parts = {});
/// The value whose point lies nearest to x on the plot's axis.
std::optional<int64_t> nearest_value(const SweepResult& swept, const view::Plot& plot, double x);

}  // namespace warpbook::ui
