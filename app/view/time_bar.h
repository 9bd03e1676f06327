#pragma once
// The pure step of `time-bar`: the parts of a run's time, first run against this one.
#include <string>
#include <vector>

#include "view/view.h"

namespace warpbook::view {

struct TimePart {
  std::string name;
  double ms = 0;
  int series = 0;  ///< colour
};
struct TimeBar {
  std::string title;
  std::vector<TimePart> parts;  ///< in order of time; only those that were measured
  double total = 0;
  std::string note;  ///< "compile: 82 % of the time", or "compile: from the cache"
};

/// At most two bars: the first run with this source, and this run.
std::vector<TimeBar> make_time_bars(const ViewInput& input);

}  // namespace warpbook::view
