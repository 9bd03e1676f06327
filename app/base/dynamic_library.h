#pragma once
// A shared library loaded at run time.
#include <string>

#include "base/result.h"

namespace warpbook {

class DynamicLibrary {
 public:
  static Result<DynamicLibrary> open(const std::string& name_or_path);
  DynamicLibrary(DynamicLibrary&& other) noexcept;
  DynamicLibrary& operator=(DynamicLibrary&& other) noexcept;
  DynamicLibrary(const DynamicLibrary&) = delete;
  ~DynamicLibrary();
  /// Null when the library has no such symbol.
  void* symbol(const char* name) const;
  /// The file that the loader really took.
  std::string path() const;

 private:
  explicit DynamicLibrary(void* handle) : handle_(handle) {}
  void* handle_ = nullptr;
};

}  // namespace warpbook
