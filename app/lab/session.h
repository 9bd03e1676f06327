#pragma once
// What a program has open while it runs labs: where things lie, the compiler, the GPU rows, the engine.
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/result.h"
#include "device/compiler.h"
#include "device/device.h"
#include "lesson/lesson.h"
#include "model/gpus.h"

namespace warpbook {

struct SessionOptions {
  Path root;                       ///< holds lessons/, kernels/, quizzes/, assets/
  std::vector<Path> more_lessons;  ///< --lessons
  std::string device = "auto";     ///< auto, emulated, cuda
  std::string gpu = default_gpu_name;
};

struct Session {
  SessionOptions options;
  UserFolders folders;
  std::vector<GpuRow> gpus;
  GpuRow gpu;
  std::unique_ptr<Compiler> compiler;
  std::unique_ptr<Device> device;
  std::mutex busy;  ///< one run at a time; run() and check() take it
};

/// --root, WARPBOOK_ROOT, the installed share folder beside the binary, the source tree, in that order.
Result<Path> find_root(const std::string& from_option, const std::string& source_tree);
/// `--device cuda` without a usable GPU is an error that says why.
Result<std::unique_ptr<Session>> open_session(const SessionOptions& options);

}  // namespace warpbook
