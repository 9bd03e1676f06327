#pragma once
// The CUDA driver as a table of functions, filled from the driver's own library at run time.
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/dynamic_library.h"
#include "base/result.h"
#include "device/cuda_types.h"

namespace warpbook::cuda {

/// What a row of cuda_entries.h says.
struct EntryName {
  std::string_view symbol, older;
  bool needed = false;
};
std::span<const EntryName> entry_names();

class Driver {
 public:
  /// $WARPBOOK_CUDA_DRIVER when it is set, else the driver's own name, libcuda.so.1, then its place under
  /// WSL2. The library stays loaded as long as the object lives; cuInit has been called. Errors say why no
  /// GPU can be used: no driver, one that is too old, no GPU, no permission.
  static Result<std::shared_ptr<const Driver>> open();
  static Result<std::shared_ptr<const Driver>> open(const std::string& library);

#define ENTRY(member, newest, before, must, parameters) Code(*member) parameters = nullptr;
#include "device/cuda_entries.h"
#undef ENTRY

  /// Every entry for drawing into OpenGL is there.
  bool has_graphics() const;
  /// The CUDA version that the driver serves, 13000 for 13.0; 0 when it does not tell.
  int cuda_version() const { return cuda_version_; }

  /// "could not DOING: WHAT HAPPENED" as a sentence, with what to try.
  Error trouble(std::string_view doing, Code code) const;
  Result<Done> check(std::string_view doing, Code code) const;

 private:
  explicit Driver(DynamicLibrary library) : library_(std::move(library)) {}
  DynamicLibrary library_;
  int cuda_version_ = 0;
};

/// The context is unusable after it: every later call in it fails with the same code (CUDA driver API,
/// "CUresult").
bool is_sticky(Code code);
/// What happened in plain words, without the driver's help; empty when the code is not known here.
std::string_view words_of(Code code);
std::string_view advice_on(Code code);

/// "13.0" of 13000.
std::string version_text(int cuda_version);

}  // namespace warpbook::cuda
