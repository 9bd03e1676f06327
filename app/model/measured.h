#pragma once
// Modelled times beside measured ones, where a GPU is present: a model is judged by the ratios between the
// versions of a kernel, which is what it promises.
#include <string>
#include <vector>

namespace warpbook {

/// One version of a kernel, or one setting of a lab, timed both ways.
struct TimedVersion {
  std::string name;
  double measured_us = 0, modelled_us = 0;
};

struct MeasuredRow {
  TimedVersion version;
  double ratio = 0;  ///< modelled over measured
  /// Of the step from the version before: the modelled gain over the measured one; 0 for the first.
  double step_error = 0;
  bool off = false;  ///< the step is off by more than `step_bound`, either way
};

/// A step whose modelled and measured ratios differ by more than this is pointed out.
inline constexpr double step_bound = 1.35;

/// Versions without both times are left out.
std::vector<MeasuredRow> beside_measured(const std::vector<TimedVersion>& versions);
/// "measured 1.2 ms, modelled 980 µs (× 0.82)", and what is to be said of the step.
std::string measured_in_words(const MeasuredRow& row);

}  // namespace warpbook
