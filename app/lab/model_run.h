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
};

/// run(), and its models; a part that could not be worked out stays empty.
Result<RunResult> run_with_models(Session& session, const RunRequest& request,
                                  const std::vector<GpuSpec>& gpus, RunModels& models,
                                  RunProgress* progress = nullptr);

/// The time of the same run on another GPU, without running it again. Registers are those that ptxas gave the
/// architecture that the kernel was compiled for. Errors say why there is no time.
Result<ModelledTime> modelled_on(const GpuSpec& gpu, const RunResult& result, const RunModels& models);

/// As run_as_json(), with the models' parts.
std::string run_as_json(const RunResult& result, const RunModels& models);
/// Lines for people, below those of the run.
std::string models_as_text(const RunModels& models, bool colour);

}  // namespace warpbook
