#pragma once
// What a launch leaves unused on any GPU: told as notes, since the result is right all the same.
#include <vector>

#include "result/diagnosis.h"
#include "result/gpu_row.h"
#include "result/launch.h"

namespace warpbook {

/// At most one note a cause; none for launches so small that nothing is to be gained.
std::vector<Diagnosis> launch_advice(const Launch& launch, const GpuRow& gpu);

}  // namespace warpbook
