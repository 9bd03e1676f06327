#pragma once
// Compiled PTX on disk, by content. A file that is cut off, changed or of another version counts as absent.
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/files.h"
#include "result/diagnosis.h"

namespace warpbook {

struct CachedPtx {
  std::string ptx;
  std::vector<std::pair<std::string, std::string>> names;
  std::string cubin;             ///< machine code, where it was asked for
  std::vector<Diagnosis> notes;  ///< compile warnings: they come with every compile, also from the cache
};

class PtxCache {
 public:
  /// An empty folder name makes a cache that keeps nothing.
  PtxCache(Path folder, uint64_t limit_bytes) : folder_(std::move(folder)), limit_bytes_(limit_bytes) {}
  /// `key`: everything that the PTX depends on. A hit makes the entry the youngest.
  std::optional<CachedPtx> find(const std::string& key) const;
  /// Trouble (a full disk, no permission) is no matter: it is compiled again next time.
  void keep(const std::string& key, const CachedPtx& entry) const;
  const Path& folder() const { return folder_; }

 private:
  Path file_of(const std::string& key) const;
  Path folder_;
  uint64_t limit_bytes_;
};

}  // namespace warpbook
