#pragma once
// The GPU's part of a run, for people and for scripts.
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "lab/run.h"

namespace warpbook {

/// "0.0123 ms (0.0121 to 0.0130), median of 20 launches after 3 to warm up, L2 cold, SM at 1980 MHz"
std::string measured_line(const Measured& measured);
/// Lines of the text report below "measured (GPU):"; what did not happen is left out.
std::string gpu_lines(const GpuRun& gpu);
nlohmann::ordered_json json_of(const Measured& measured);
nlohmann::ordered_json json_of(const GpuRun& gpu);

}  // namespace warpbook
