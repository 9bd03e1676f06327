#pragma once
// From what the workers counted to what a report shows.
#include <vector>

#include "simt/exec/state.h"

namespace warpbook::simt {

/// Fills counters, lines, warps, printf, diagnostics and status of the report.
void summarise(LaunchContext& context, std::vector<std::unique_ptr<Worker>>& workers, RunReport& report);

}  // namespace warpbook::simt
