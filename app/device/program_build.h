#pragma once
// A whole CUDA program from its sources: nvcc makes objects with PTX only, the host's compiler links them
// against our runtime library. What was compiled once is taken from a cache by content.
#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/result.h"
#include "device/toolkit_place.h"
#include "result/diagnosis.h"

namespace warpbook {

struct ProgramFile {
  Path path;          ///< .cu through nvcc; .cpp, .cc, .cxx and .c through the host's compiler
  std::string shown;  ///< how diagnoses name it; empty = its path
};

struct BuildRequest {
  std::vector<ProgramFile> files;
  std::vector<Path> include_folders;
  std::vector<std::pair<std::string, std::string>> defines;
  std::string compute = "8.0";
  Path runtime_folder;  ///< holds libcudart.so.13
  std::chrono::milliseconds max_time{300'000};
};

struct BuiltProgram {
  Path executable;  ///< in the cache; another build may remove it later
  bool cached = false;
  double build_ms = 0;
};

struct BuildOutcome {
  std::optional<BuiltProgram> program;  ///< absent when it does not compile or link
  std::vector<Diagnosis> diagnostics;   ///< compile-error and compile-warning
};

class ProgramBuilder {
 public:
  /// Objects and programs are kept in `cache`, at most `cache_bytes` in all.
  explicit ProgramBuilder(Path cache, uint64_t cache_bytes = 512u << 20);
  const ToolkitPlace& place() const { return place_; }
  /// Errors: no nvcc or no host compiler (Trouble::not_found), unreadable sources, the time limit, cancelled.
  Result<BuildOutcome> build(const BuildRequest& request, const std::atomic<bool>* stop = nullptr) const;

 private:
  ToolkitPlace place_;
  Path cache_;
  uint64_t cache_bytes_;
};

/// The folder with our libcudart.so.13, beside this program or installed with it. Trouble::not_found
/// otherwise.
Result<Path> find_runtime_folder();

}  // namespace warpbook
