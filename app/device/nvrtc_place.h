#pragma once
// Where NVRTC and the CUDA headers are on this machine. Only looks at files: the library is loaded in the
// worker.
#include "device/compiler.h"

namespace warpbook {

/// Searched in this order, the first folder that holds libnvrtc.so.* wins:
///   1. $WARPBOOK_NVRTC, a library or a folder; when it is set nothing else is searched
///   2. $CUDA_HOME, $CUDA_PATH
///   3. /usr/local/cuda, /usr/local/cuda-* (newest first), /opt/cuda
///   4. $WARPBOOK_DEPS and the user's data folder + "nvrtc": NVIDIA's wheels unpacked
///   5. what the loader finds
CompilerPlace find_compiler_place();

/// Where toolkits are installed: /usr/local/cuda, /usr/local/cuda-* (newest first), /opt/cuda.
std::vector<Path> usual_toolkit_folders();

/// The libraries beside NVRTC that it opens by name alone when it compiles.
std::vector<Path> builtins_beside(const Path& library);

}  // namespace warpbook
