#pragma once
// A GPU behind the Device door, driven in this process. A kernel's fault costs its context, not the object:
// the next load opens a new one.
#include <memory>
#include <string>

#include "device/device.h"

namespace warpbook {

struct CudaOptions {
  std::string gpu;         ///< number, UUID or name; empty = the first
  uint64_t max_bytes = 0;  ///< of all buffers together; 0 = what the GPU has
  /// A kernel that runs longer is given up, and with it this process' use of the GPU.
  std::chrono::milliseconds max_time{10000};
  uint64_t heap_bytes = 64u << 20;  ///< for malloc in kernels
};

/// Errors say in a sentence why there is no usable GPU.
Result<std::unique_ptr<Device>> make_cuda_device(const CudaOptions& options = {});

/// The PTX is of a later version than the GPU's driver takes; it runs lowered or as machine code.
bool newer_than_driver(const std::string& ptx, const Capabilities& gpu);

/// What a GPU's code for a failed launch says about the kernel: kind, sentence and hint; the emulator finds
/// the place.
Diagnosis gpu_fault(int code, const std::string& kernel);

}  // namespace warpbook
