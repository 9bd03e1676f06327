#pragma once
// NVIDIA's own matrix product, where its library is installed: the mark that ours are held against.
#include "device/device.h"

namespace warpbook {

/// c = a * b in fp32 (no tensor cores), n x n, timed as Device::measure does. Errors: the device is no GPU in
/// this process, or cuBLAS cannot be loaded.
Result<Measured> measure_cublas_sgemm(Device& device, int n, const MeasureRequest& request);

}  // namespace warpbook
