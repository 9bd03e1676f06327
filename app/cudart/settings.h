#pragma once
// What the library is told by whoever starts the program: environment variables.
#include <cstdint>
#include <string>
#include <vector>

#include "base/files.h"
#include "device/device.h"

namespace warpbook::cudart {

/// WARPBOOK_FAIL=cudaMalloc:2:2,cudaMemcpy:1:1: the n-th call of that name returns the code and does nothing.
struct PlannedFailure {
  std::string call;
  uint64_t nth = 1;
  int code = 0;
};

struct Settings {
  int tape_file = -1;  ///< WARPBOOK_TAPE_FD; -1 = no tape
  Level level = Level::check;
  std::string gpu;  ///< WARPBOOK_GPU, a row of gpus.json
  Path gpus;        ///< that file: under WARPBOOK_ROOT, beside the installed library, or in the source tree
  bool recorder = false;  ///< WARPBOOK_RECORDER: NVIDIA's runtime does the work, nothing is emulated
  bool null_kernels = false;
  bool memo = true;
  uint64_t max_instructions = 0;
  uint64_t captured_bytes = 0;  ///< WARPBOOK_CAPTURE: launches' memory on the tape, beside that of faults
  std::vector<PlannedFailure> failures;
};

Settings settings_from_environment();
/// "cudaMalloc:2:2,cudaFree:1:1"; what cannot be read is left out.
std::vector<PlannedFailure> planned_failures(std::string_view text);

}  // namespace warpbook::cudart
