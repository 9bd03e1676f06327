#pragma once
// Debug builds of a program's files: begun beside the link, waited for only when a diagnosis of a kernel
// needs names.
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "device/program_build.h"

namespace warpbook {

class ProgramDebugBuilds {
 public:
  /// `stop`: the user's; may be null.
  ProgramDebugBuilds(const ProgramBuilder& builder, BuildRequest order, const std::atomic<bool>* stop);
  /// What is not needed any more is stopped.
  ~ProgramDebugBuilds();
  ProgramDebugBuilds(const ProgramDebugBuilds&) = delete;
  ProgramDebugBuilds& operator=(const ProgramDebugBuilds&) = delete;

  /// Compiles in the background from now on.
  void begin();
  /// The PTX for a debugger that has this kernel; null when there is none. Compiles now what was not begun.
  const std::string* with_kernel(const std::string& symbol);

 private:
  void compile();

  const ProgramBuilder& builder_;
  BuildRequest order_;
  const std::atomic<bool>* users_stop_;
  std::atomic<bool> stop_{false}, done_{false};
  std::vector<std::string> texts_;  ///< of the .cu files that compile
  std::thread thread_;
};

}  // namespace warpbook
