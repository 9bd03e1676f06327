#pragma once
// Parsed modules by the hash of their PTX: a learner who turns a control loads the same code again and again,
// and parsing and decoding it each time would be most of the wait.
#include <cstdint>
#include <list>
#include <memory>
#include <string>

#include "base/result.h"
#include "simt/emulator.h"

namespace warpbook {

class ModuleCache {
 public:
  explicit ModuleCache(size_t capacity = 8) : capacity_(capacity) {}
  /// The same module for the same text, while it is among the last `capacity`.
  Result<std::shared_ptr<const simt::Module>> load(const std::string& ptx);

 private:
  struct Entry {
    std::string hash;
    std::shared_ptr<const simt::Module> module;
  };
  std::list<Entry> entries_;  ///< youngest first
  size_t capacity_;
};

}  // namespace warpbook
