#pragma once
// What a built program asks of the loader: whether our runtime library can stand in for NVIDIA's.
#include <string>
#include <vector>

#include "base/files.h"
#include "base/result.h"

namespace warpbook {

struct ProgramNeeds {
  std::vector<std::string> libraries;  ///< DT_NEEDED, as written: "libcudart.so.13"
  bool has_device_code = false;        ///< a section .nv_fatbin
};

/// Error: not a program for this machine's loader.
Result<ProgramNeeds> needs_of(const Path& program);

/// Refuses a program whose CUDA runtime is linked in or of another version, with what to do.
Result<Done> runs_on_our_runtime(const Path& program);

}  // namespace warpbook
