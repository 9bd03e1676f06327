#pragma once
// Occupancy for people and for scripts: what `warpbook occupancy` prints, and the block of `run --json`.
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "lab/report.h"
#include "result/gpu_spec.h"
#include "result/occupancy.h"

namespace warpbook {

struct OccupancyReport {
  GpuSpec gpu;  ///< or the row of a compute capability
  OccupancyQuestion question;
  Occupancy occupancy;
  std::vector<OccupancyChange> changes;
};

/// The report for one row. Error as of occupancy_of().
Result<OccupancyReport> occupancy_report(const GpuSpec& gpu, const OccupancyQuestion& question);

std::string occupancy_as_text(const OccupancyReport& report, const TextStyle& style);
std::string occupancy_as_json(const OccupancyReport& report);
/// `gpu` is empty for the row of a compute capability.
nlohmann::ordered_json json_of(const std::string& gpu, const std::string& compute,
                               const OccupancyQuestion& question, const Occupancy& occupancy,
                               const std::vector<OccupancyChange>& changes);

}  // namespace warpbook
