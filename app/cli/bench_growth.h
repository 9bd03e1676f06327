#pragma once
// How the emulator's cost grows with the work: what `warpbook bench --page` shows beside the ratios.
#include <cstdint>
#include <string>
#include <vector>

#include "lab/run.h"

namespace warpbook::cli {

/// One row of a table: what was varied, and what came out.
struct Growth {
  std::string varied;
  uint64_t thread_instructions = 0;
  double milliseconds = 0;  ///< median, level run unless the table says otherwise
  double kilobytes = 0;     ///< memory beyond the row before it
};

struct GrowthTables {
  std::vector<Growth> work;       ///< Mandelbrot with more and more iterations
  std::vector<Growth> registers;  ///< the same work written with more and more registers
  std::vector<Growth> shadow;     ///< more and more of a 64 MiB buffer written, level check
};

/// Runs one of kernels/bench once.
Result<RunResult> run_bench(Session& session, const RunRequest& request);
/// A request for kernels/bench/NAME.cu on one thread.
Result<RunRequest> bench_request(const Session& session, const std::string& name);

Result<GrowthTables> measure_growth(Session& session, int repeats);

}  // namespace warpbook::cli
