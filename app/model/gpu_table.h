#pragma once
// assets/gpus.json whole: products and compute capabilities, with all their figures.
#include <string>
#include <vector>

#include "base/files.h"
#include "base/result.h"
#include "result/gpu_spec.h"

namespace warpbook {

struct GpuTable {
  std::vector<GpuSpec> gpus;
  std::vector<GpuSpec> capabilities;  ///< a row for each compute capability, without figures of a chip
};

/// Errors carry file, line and the row's name.
Result<GpuTable> load_gpu_table(const Path& file);
/// By name without regard to case; an error that lists the known ones.
Result<GpuSpec> gpu_named(const std::vector<GpuSpec>& gpus, const std::string& name);
/// The row of a compute capability such as "8.6"; an error that lists the known ones.
Result<GpuSpec> capability_named(const GpuTable& table, const std::string& compute);

}  // namespace warpbook
