#pragma once
// What the compiler and the emulator know beside code and results, for the models.
#include <memory>
#include <vector>

#include "device/device.h"
#include "result/kernel_trace.h"
#include "result/occupancy.h"

namespace warpbook {

/// Of each kernel, by its name in the PTX; empty when ptxas could not be asked (debug builds, code that only
/// ptxas refuses).
std::vector<KernelResources> resources_of(const CompiledCode& code);
/// The way of sampled blocks of the last launch at level measure or check; null when the engine kept none.
std::shared_ptr<const KernelTrace> last_trace(const Device& device);

}  // namespace warpbook
