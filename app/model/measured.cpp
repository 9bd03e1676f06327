#include "model/measured.h"

#include <fmt/format.h>

#include "result/modelled_time.h"

namespace warpbook {

std::vector<MeasuredRow> beside_measured(const std::vector<TimedVersion>& versions) {
  std::vector<MeasuredRow> rows;
  for (const TimedVersion& version : versions) {
    if (!(version.measured_us > 0) || !(version.modelled_us > 0)) continue;
    MeasuredRow row;
    row.version = version;
    row.ratio = version.modelled_us / version.measured_us;
    if (!rows.empty()) {
      // The gain that each of the two sees, one over the other: what both have in common drops out.
      row.step_error = rows.back().ratio / row.ratio;
      row.off = row.step_error > step_bound || row.step_error < 1 / step_bound;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string measured_in_words(const MeasuredRow& row) {
  std::string words =
      fmt::format("measured {}, modelled {} (× {:.2f})", time_in_words(row.version.measured_us),
                  time_in_words(row.version.modelled_us), row.ratio);
  if (row.off)
    words +=
        fmt::format("; the model sees {} of a gain against the version before than was measured (× {:.2f})",
                    row.step_error > 1 ? "more" : "less", row.step_error);
  return words;
}

}  // namespace warpbook
