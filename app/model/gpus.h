#pragma once
// assets/gpus.json.
#include <string>
#include <vector>

#include "base/files.h"
#include "base/result.h"
#include "result/gpu_row.h"

namespace warpbook {

/// Errors carry file, line and the row's name.
Result<std::vector<GpuRow>> load_gpus(const Path& file);
/// By name without regard to case; an error that lists the known ones.
Result<GpuRow> gpu_named(const std::vector<GpuRow>& gpus, const std::string& name);

/// The row that runs use when nothing else is asked for.
inline constexpr const char* default_gpu_name = "A100 40 GB";

}  // namespace warpbook
