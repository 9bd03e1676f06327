#pragma once
// The one door to work over cores: oneTBB, or plain threads where the build asks for them (TSan).
#include <cstddef>
#include <functional>

namespace warpbook {

/// Cores that this process may use.
unsigned available_cores();

/// Calls work(worker) once for each worker in [0, workers), at the same time as far as cores allow, and
/// returns when all have returned. Each call may run long; workers share work by an atomic counter of their
/// own.
void run_workers(unsigned workers, const std::function<void(unsigned)>& work);

}  // namespace warpbook
