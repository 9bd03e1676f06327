#pragma once
// What the driver tells of each GPU, and which one is meant.
#include <vector>

#include "device/cuda_driver.h"
#include "device/device.h"

namespace warpbook::cuda {

/// Every GPU that the driver tells of. A GPU that does not answer is left out; the error is that of the first
/// when none answers.
Result<std::vector<FoundGpu>> gpus_of(const Driver& driver);

/// `wanted`: empty for the first, a number as `warpbook devices` lists them, a UUID ("GPU-..." or its start,
/// at least 8 digits), or a name or part of one. Errors name what there is.
Result<FoundGpu> choose_gpu(const std::vector<FoundGpu>& gpus, const std::string& wanted);
/// The GPU with that UUID, as an index into `gpus`, or -1: the one that draws is best for pictures.
int gpu_with(const std::vector<FoundGpu>& gpus, const std::array<uint8_t, 16>& uuid);
/// The value of an attribute, or `otherwise`.
int64_t attribute_of(const std::vector<GpuAttribute>& attributes, std::string_view name, int64_t otherwise);

/// The GPU's limits as a row of the GPU table, for the launch checks that all engines share.
GpuRow limits_of(const FoundGpu& gpu);

}  // namespace warpbook::cuda
