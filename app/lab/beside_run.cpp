#include "lab/beside_run.h"

namespace warpbook {

std::optional<MeasuredRow> beside_measured(const RunResult& result, const RunModels& models,
                                           const std::vector<GpuSpec>& gpus) {
  if (!result.on_gpu || result.on_gpu->device.empty() || !result.times.kernel_ms) return std::nullopt;
  const auto gpu = gpu_named(gpus, result.on_gpu->device);
  if (!gpu) return std::nullopt;
  const auto modelled = modelled_on(*gpu, result, models);
  if (!modelled) return std::nullopt;
  const auto rows = beside_measured({{result.kernel, *result.times.kernel_ms * 1000, modelled->us}});
  if (rows.empty()) return std::nullopt;
  return rows.front();
}

}  // namespace warpbook
