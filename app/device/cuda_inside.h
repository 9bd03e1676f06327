#pragma once
// The context behind a Device, for what else runs in it. Private to the device room.
#include "device/cuda_context.h"
#include "device/device.h"

namespace warpbook::cuda {

/// Opened when it is not; null when the device is no GPU in this process, or its context cannot be had.
GpuContext* context_of(Device& device);

}  // namespace warpbook::cuda
