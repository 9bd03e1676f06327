// An answer on the GPU: every case again, in a process of its own, against what the solution gave on the
// emulator. The last row of a check, where the session has a GPU.
#include <fmt/format.h>

#include <algorithm>

#include "lab/checker.h"
#include "lab/gpu_report.h"
#include "lab/gpu_run.h"

namespace warpbook {

namespace {

constexpr const char* row_name = "gpu";

}  // namespace

Result<CheckRow> Checker::gpu_row(const Attempt& attempt) {
  CheckRow row;
  row.check = row_name;
  const bool clean = !has_errors(attempt.diagnostics) && !attempt.limit &&
                     std::all_of(attempt.runs.begin(), attempt.runs.end(),
                                 [](const auto& run) { return run.status == "ok" && !run.mismatch; });
  if (!clean) {
    row.skipped = true;
    row.message = "Not tried on the GPU: the emulator found what is wrong.";
    return row;
  }
  const GpuUse use(session_);
  Device& device = *session_.gpu_child;
  Check tolerances;
  for (const Check& check : exercise_.checks)
    if (check.check == "results") tolerances = check;
  // The case with the most work is the one whose time says something.
  const auto largest = std::max_element(oracle_.begin(), oracle_.end(), [](const auto& a, const auto& b) {
    return a.warp_instructions < b.warp_instructions;
  });
  std::string time;
  for (size_t i = 0; i < cases_.size(); ++i) {
    const bool timed = oracle_.begin() + ptrdiff_t(i) == largest;
    const MeasureRequest measure{2, 10, 0.5, false};
    auto step = execute_on(device, session_.gpu, attempt.kernel, cases_[i].launch, cases_[i].arguments,
                           options_for(i), 1, timed ? &measure : nullptr, run_progress());
    if (!step) {
      if (step.error().trouble == Trouble::cancelled) return step.error();
      row.skipped = true;
      row.message = "Not tried on the GPU: " + step.error().message;
      return row;
    }
    const std::string status = status_of(step->report);
    if (status != "ok") {
      row.message = fmt::format("On the GPU the kernel ends with {} ({}).", status, cases_[i].label);
      row.diagnostics = std::move(step->report.diagnostics);
      for (Diagnosis& d : row.diagnostics) d.file = attempt.file;
      return row;
    }
    row.mismatch = compare_outputs(tolerances, oracle_[i].outputs, step->outputs, cases_[i].label);
    if (row.mismatch) {
      row.message =
          fmt::format("On the GPU {}[{}] is {}, but should be {} ({}).", row.mismatch->buffer,
                      row.mismatch->index, row.mismatch->got, row.mismatch->expected, row.mismatch->sizes);
      return row;
    }
    if (timed && step->times.measured)
      time = fmt::format(" {}: {}.", cases_[i].label, measured_line(*step->times.measured));
  }
  row.passed = true;
  row.message = fmt::format("The same results on the {} in {} case{}.{}", device.capabilities().engine,
                            cases_.size(), cases_.size() == 1 ? "" : "s", time);
  return row;
}

}  // namespace warpbook
