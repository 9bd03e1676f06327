#pragma once
// The GPU behind the Device door in a child process, for code that a learner wrote: a kernel that faults,
// hangs or takes the driver down costs the child, and the next load finds a fresh one that has started
// meanwhile. Buffers pass through shared memory.
#include <memory>
#include <string>
#include <vector>

#include "device/cuda_device.h"

namespace warpbook {

struct CudaChildOptions {
  CudaOptions cuda;
  /// What the GPU is called until the child has told; from `warpbook devices`' list.
  FoundGpu gpu;
  /// argv that starts cuda_worker_main; by default this program with the hidden subcommand `cuda-worker`.
  std::vector<std::string> worker;
  /// Memory of the host that it may write to. Not of its addresses: the driver reserves terabytes of those.
  uint64_t host_bytes = 16ull << 30;
};

/// Starts nothing yet: the child comes with the first load. What its buffers may take on the GPU is
/// CudaOptions::max_bytes.
std::unique_ptr<Device> make_cuda_child(CudaChildOptions options);

/// The child: serves requests on stdin and stdout until stdin ends. Returns its exit code.
int cuda_worker_main();

}  // namespace warpbook
