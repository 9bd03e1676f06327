#pragma once
// The trace of sampled blocks that a launch at level measure or check leaves behind.
#include <memory>

#include "result/kernel_trace.h"

namespace warpbook::simt {

class Instance;

/// Of the last launch on this instance; null when there is none.
std::shared_ptr<const KernelTrace> last_trace(const Instance& instance);

}  // namespace warpbook::simt
