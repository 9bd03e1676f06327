// A short list, youngest first; with eight entries a search is nothing beside the hash.
#include "device/module_cache.h"

#include <algorithm>

#include "base/hash.h"

namespace warpbook {

Result<std::shared_ptr<const simt::Module>> ModuleCache::load(const std::string& ptx) {
  const std::string hash = content_hash(ptx);
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.hash == hash; });
  if (found != entries_.end()) {
    entries_.splice(entries_.begin(), entries_, found);
    return entries_.front().module;
  }
  auto loaded = simt::load_module(ptx);
  if (!loaded) return loaded.error();
  entries_.push_front({hash, *loaded});
  if (entries_.size() > capacity_) entries_.pop_back();
  return entries_.front().module;
}

}  // namespace warpbook
