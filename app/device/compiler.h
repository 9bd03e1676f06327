#pragma once
// CUDA C++ to PTX by NVRTC, found at run time, in a child process that stays warm between compiles.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/result.h"
#include "device/device.h"
#include "result/diagnosis.h"

namespace warpbook {

struct CompileRequest {
  std::string source;
  std::string file;                ///< how diagnoses name it
  std::vector<std::string> names;  ///< name expressions: kernels by their source names
  std::string compute = "8.0";
  std::vector<std::pair<std::string, std::string>> defines;
  std::vector<Path> include_folders;  ///< beside the toolkit's
  bool debug = false;                 ///< -G build: for diagnoses, never for outputs
  bool machine_code = false;          ///< CompiledCode::cubin as well, for `compute` alone
  std::chrono::milliseconds max_time{20000};
};

struct CompileOutcome {
  std::optional<CompiledCode> code;    ///< absent when it did not compile
  std::vector<Diagnosis> diagnostics;  ///< compile-error and compile-warning, with line and column
};

/// Where NVRTC and the CUDA headers were found, or what was searched.
struct CompilerPlace {
  std::string library;  ///< empty when none was found
  std::string version;  ///< "13.0"
  std::vector<Path> include_folders;
  std::string missing;  ///< one message that says how to get it
};

class Compiler {
 public:
  /// `cache`: folder for compiled PTX, bounded to `cache_bytes`. `worker`: argv that starts
  /// compile_worker_main; by default this program with the hidden subcommand `compile-worker`.
  explicit Compiler(Path cache, uint64_t cache_bytes = 256u << 20, std::vector<std::string> worker = {});
  ~Compiler();
  const CompilerPlace& place() const;
  /// Errors: Trouble::not_found when NVRTC is missing, limit, cancelled. A source that does not compile is an
  /// outcome. Safe to call from one thread at a time.
  Result<CompileOutcome> compile(const CompileRequest& request, const std::atomic<bool>* stop = nullptr);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The child: loads NVRTC and serves requests on stdin and stdout until stdin ends. Returns its exit code.
int compile_worker_main();

}  // namespace warpbook
