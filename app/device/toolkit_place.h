#pragma once
// Where the CUDA compiler for whole programs is (nvcc), and the host's C++ compiler that it needs. Only looks
// at files.
#include <string>
#include <vector>

#include "base/files.h"

namespace warpbook {

struct ToolkitPlace {
  std::string nvcc;           ///< empty when none was found
  std::string version;        ///< "13.0.88"
  Path include_folder;        ///< of the toolkit
  std::string host_compiler;  ///< empty when none was found
  std::string missing;        ///< one message that says how to get what is not there
};

/// Searched in this order, the first that holds nvcc of CUDA 13 wins:
///   1. $NVCC, a program; when it is set nothing else is searched
///   2. $CUDA_HOME, $CUDA_PATH
///   3. nvcc on $PATH
///   4. /usr/local/cuda, /usr/local/cuda-* (newest first), /opt/cuda
///   5. $WARPBOOK_PROGRAM_DEPS and the user's data folder + "nvcc": NVIDIA's wheels unpacked by
///      `app/start --programs`
/// Our runtime library is that of CUDA 13, so a toolkit of another version is passed over and named when
/// there is no other.
ToolkitPlace find_toolkit();

}  // namespace warpbook
