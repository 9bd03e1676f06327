#pragma once
// A run and what the models say of it: how many blocks an SM holds, how long the launch would take on a GPU.
#include <memory>
#include <string>
#include <vector>

#include "lab/run.h"
#include "model/gpu_table.h"
#include "result/kernel_trace.h"
#include "result/modelled_time.h"
#include "result/occupancy.h"

namespace warpbook {

struct RunModels {
  std::optional<KernelResources> resources;           ///< by ptxas, for the GPU's architecture
  std::shared_ptr<const OccupancyPicture> occupancy;  ///< null when the resources are not known
  std::shared_ptr<const KernelTrace> trace;           ///< what modelled times are made from
  std::optional<ModelledTime> modelled;               ///< on the session's GPU
  std::string gpu;                                    ///< which one that was
  std::optional<ModelledTime> larger;                 ///< of the larger launch that a lab asks about
};

/// A launch of the same kernel that is too large to run here: more blocks of the same kind, each with the
/// same instructions so many times over, as a longer loop has them.
struct LargerLaunch {
  uint64_t blocks = 0;
  double work = 1;
  double footprint_bytes = 0;  ///< of all its buffers
};

/// run(), and its models; a part that could not be worked out stays empty.
Result<RunResult> run_with_models(Session& session, const RunRequest& request,
                                  const std::vector<GpuSpec>& gpus, RunModels& models,
                                  RunProgress* progress = nullptr);

/// The models of a run that was made, on the GPU that the session has now: registers are asked of ptxas anew,
/// for that GPU's architecture; nothing runs.
RunModels models_again(Session& session, const RunRequest& request, const RunResult& result,
                       const RunModels& models, const std::vector<GpuSpec>& gpus);

/// The time of the same run on another GPU, without running it again. Registers are those that ptxas gave the
/// architecture that the kernel was compiled for. Errors say why there is no time.
Result<ModelledTime> modelled_on(const GpuSpec& gpu, const RunResult& result, const RunModels& models);

/// The time of a larger launch from the trace of a run: its blocks are those that ran, in the caches and
/// waves of the larger grid.
Result<ModelledTime> modelled_larger(const GpuSpec& gpu, const RunResult& result, const RunModels& models,
                                     const LargerLaunch& larger);

/// As run_as_json(), with the models' parts.
std::string run_as_json(const RunResult& result, const RunModels& models);
/// Lines for people, below those of the run.
std::string models_as_text(const RunModels& models, bool colour);

}  // namespace warpbook
