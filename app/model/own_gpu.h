#pragma once
// The row of a GPU that stands in this machine: what its driver tells, on top of the row of the GPU most like
// it, since no driver tells latencies or the bandwidth of L2.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/gpu_table.h"

namespace warpbook {

/// What a driver tells of a GPU; attributes by the names that `warpbook devices --json` uses.
struct ToldGpu {
  std::string name, compute;
  uint64_t memory_bytes = 0;
  std::vector<std::pair<std::string, int64_t>> attributes;
};

/// Error: nothing like this GPU is in the table.
Result<GpuSpec> own_gpu_row(const GpuTable& table, const ToldGpu& told);

/// Adds that row, in place of one with the same name. A GPU without a row is left out.
void add_own_gpu(GpuTable& table, const ToldGpu& told);

}  // namespace warpbook
