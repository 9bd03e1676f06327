// A short list, youngest first; with eight entries a search is nothing beside the hash.
#include "device/module_cache.h"

#include <algorithm>

#include "base/hash.h"
#include "device/debug_names.h"

namespace warpbook {

namespace {

/// `.target sm_80, debug` stands among the first lines (PTX ISA 11.1.2).
bool is_debug_build(std::string_view ptx) {
  const size_t target = ptx.find(".target");
  const size_t line_end = ptx.find('\n', target);
  return target != std::string_view::npos &&
         ptx.substr(target, line_end - target).find("debug") != std::string_view::npos;
}

}  // namespace

Result<std::shared_ptr<const simt::Module>> ModuleCache::load(const std::string& ptx) {
  const std::string hash = content_hash(ptx);
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.hash == hash; });
  if (found != entries_.end()) {
    entries_.splice(entries_.begin(), entries_, found);
    return entries_.front().module;
  }
  simt::LocalObjects objects;
  if (is_debug_build(ptx)) {
    if (const auto info = read_debug_info(ptx)) objects = local_objects(*info);
  }
  auto loaded = simt::load_module(ptx, std::move(objects));
  if (!loaded) return loaded.error();
  entries_.push_front({hash, *loaded});
  if (entries_.size() > capacity_) entries_.pop_back();
  return entries_.front().module;
}

}  // namespace warpbook
