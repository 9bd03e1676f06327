#pragma once
// One kernel over many settings and GPUs: the kernel runs once a setting, on the emulator, and the timing
// model does the GPUs.
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "lab/model_run.h"
#include "lab/report.h"

namespace warpbook {

/// What is varied: block, grid or shared (bytes), or a macro of the source.
struct SweepAxis {
  std::string name;
  std::vector<int64_t> values;
  bool define = false;
};
/// "block=32..1024" (doubling), "block=32..256:32" (steps), "T=8,16,32".
Result<SweepAxis> parse_axis(const std::string& text, bool define);

using SweepSetting = std::vector<std::pair<std::string, int64_t>>;

struct SweepPoint {
  SweepSetting setting;
  std::string gpu;
  std::string status;   ///< of the run: ok, fault, launch-error ...
  std::string message;  ///< why there is no time
  Launch launch;
  int registers = 0;
  double occupancy = 0;  ///< percent
  std::optional<ModelledTime> time;
};

struct SweepPlan {
  std::vector<SweepAxis> axes;
  std::vector<GpuSpec> gpus;
  /// The run of one setting; defines are in it already.
  std::function<Result<RunRequest>(const SweepSetting&)> request;
  /// The launch whose time is asked for in place of the one that runs; may be empty, or say nothing.
  std::function<std::optional<LargerLaunch>(const SweepSetting&)> larger{};
};

struct SweepResult {
  std::vector<SweepAxis> axes;
  std::vector<SweepPoint> points;
  bool complete = true;  ///< false when it was cancelled: the points are those that were done
};

/// `before` is told of each run before it begins. Errors are trouble outside the kernel.
Result<SweepResult> sweep(Session& session, const SweepPlan& plan,
                          const std::function<void(size_t done, size_t all, const SweepSetting&)>& before,
                          RunProgress* progress);

/// Sets one part of a launch. A block of another size keeps the number of threads in x: the grid follows.
Result<Done> apply_to_launch(Launch& launch, const std::string& name, int64_t value);

/// Defines a macro in the source itself, below its leading comments, with line numbers kept. On the
/// compiler's command line a short name such as T would also change NVRTC's own headers.
/// An error where the definition would change nothing: the source has no such name, or defines it itself.
Result<Done> define_in_source(std::string& source, const std::string& name, int64_t value);

std::string words_of(const SweepSetting& setting);
std::string sweep_as_text(const SweepResult& result, const TextStyle& style);
std::string sweep_as_csv(const SweepResult& result);
std::string sweep_as_json(const SweepResult& result);

}  // namespace warpbook
