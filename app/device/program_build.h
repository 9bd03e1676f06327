#pragma once
// A whole CUDA program from its sources: nvcc makes objects with PTX only, the host's compiler links them
// against our runtime library. What was compiled once is taken from a cache by content.
#include <atomic>
#include <chrono>
#include <functional>
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
  /// Called when all files are compiled, not all of them out of the cache, and the link is about to begin.
  std::function<void()> compiled;
};

/// The device code of one file as PTX, alone.
struct DeviceCode {
  std::optional<std::string> ptx;  ///< absent when it does not compile
  std::vector<Diagnosis> diagnostics;
  bool cached = false;
  double build_ms = 0;
};
enum class DeviceCodeKind { optimised, for_debugger };

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
  /// One of the request's files (a .cu file) with the same options; `text` takes the place of what stands in
  /// the file. Errors as above.
  Result<DeviceCode> device_code(const BuildRequest& request, const ProgramFile& file, DeviceCodeKind kind,
                                 const std::optional<std::string>& text = std::nullopt,
                                 const std::atomic<bool>* stop = nullptr) const;

 private:
  ToolkitPlace place_;
  Path cache_;
  uint64_t cache_bytes_;
};

/// NVIDIA's own libcudart.so.13 beside nvcc or in its wheels. Trouble::not_found otherwise.
Result<Path> find_nvidia_runtime(const ToolkitPlace& place);

/// The folder with our libcudart.so.13, beside this program or installed with it. Trouble::not_found
/// otherwise.
Result<Path> find_runtime_folder();

}  // namespace warpbook
