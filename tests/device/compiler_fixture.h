#pragma once
// A compiler with a cache folder of its own and the tests' worker.
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

#include "base/temporary_folder.h"
#include "device/compiler.h"

namespace warpbook {

inline std::vector<std::string> test_worker() { return {WARPBOOK_BINARY_DIR "/tests/compile_worker"}; }

struct CompilerFixture {
  TemporaryFolder folder;
  std::unique_ptr<Compiler> compiler;
  explicit CompilerFixture(uint64_t cache_bytes = 64u << 20)
      : compiler(std::make_unique<Compiler>(folder.path() / "cache", cache_bytes, test_worker())) {}
  bool has_nvrtc() const { return compiler->place().missing.empty(); }
};

/// A compile test without NVRTC proves nothing, so it says so and ends.
#define NEEDS_NVRTC(fixture)                                     \
  if (!(fixture).has_nvrtc()) {                                  \
    WARN("not tested: " << (fixture).compiler->place().missing); \
    return;                                                      \
  }

inline CompileRequest request_for(std::string source) {
  CompileRequest request;
  request.source = std::move(source);
  request.file = "kernel.cu";
  request.max_time = std::chrono::milliseconds(60000);
  return request;
}

/// Sets an environment variable for as long as it lives; null unsets it.
class WithEnvironment {
 public:
  WithEnvironment(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    set(value);
  }
  WithEnvironment(const WithEnvironment&) = delete;
  WithEnvironment& operator=(const WithEnvironment&) = delete;
  ~WithEnvironment() { set(old_ ? old_->c_str() : nullptr); }

 private:
  void set(const char* value) { value != nullptr ? setenv(name_, value, 1) : unsetenv(name_); }
  const char* name_;
  std::optional<std::string> old_;
};

}  // namespace warpbook
