#pragma once
// How the emulator's cost grows with the work: what `warpbook bench --page` shows beside the ratios.
#include <string>

#include "lab/run.h"
#include "result/growth.h"

namespace warpbook::cli {

/// Runs one of kernels/bench once.
Result<RunResult> run_bench(Session& session, const RunRequest& request);
/// A request for kernels/bench/NAME.cu on one thread.
Result<RunRequest> bench_request(const Session& session, const std::string& name);

Result<GrowthTables> measure_growth(Session& session, int repeats);

}  // namespace warpbook::cli
