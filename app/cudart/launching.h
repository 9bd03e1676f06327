#pragma once
// A kernel launch: arguments out of the program's memory, what CUDA refuses at once, the run itself, and what
// it leaves on the tape. An error of a running kernel stays hidden until a call waits for it, as on a GPU.
#include <optional>

#include "cudart/runtime.h"

namespace warpbook::cudart {

struct LaunchRequest {
  const void* kernel = nullptr;  ///< stub or handle
  GridSize grid, block;
  void** arguments = nullptr;
  size_t shared_bytes = 0;
  Handle stream = nullptr;
  bool cooperative = false;
};

int launch(const char* name, const LaunchRequest& request);

/// How many blocks of a kernel fit on a multiprocessor; an error in the program's question is `code`.
struct ActiveBlocks {
  int code = success;
  std::string note;
  int blocks = 0;
};
ActiveBlocks active_blocks(Runtime& runtime, Kernel& kernel, int64_t block_size, size_t shared_bytes);

/// A kernel with its module loaded; null with the code and the reason.
struct LoadedKernel {
  Kernel* kernel = nullptr;
  const ProgramKernel* known = nullptr;
  uint32_t module = 0;  ///< in the device
  int code = success;
  std::string note;
};
LoadedKernel loaded_kernel(Runtime& runtime, const void* stub_or_handle);

}  // namespace warpbook::cudart
