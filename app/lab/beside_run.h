#pragma once
// A run that a GPU measured, beside what the model says of it for that same GPU.
#include <optional>
#include <string>
#include <vector>

#include "lab/model_run.h"
#include "model/measured.h"

namespace warpbook {

/// Nothing where the run was not measured, or the GPU has no row among `gpus`.
std::optional<MeasuredRow> beside_measured(const RunResult& result, const RunModels& models,
                                           const std::vector<GpuSpec>& gpus);

/// As run_as_json() of the models, with both times and their ratio in `gpu`.
std::string run_as_json(const RunResult& result, const RunModels& models,
                        const std::optional<MeasuredRow>& beside);

}  // namespace warpbook
