#pragma once
// Room in a cache folder: the files that were not used for longest go first.
#include <cstdint>
#include <string_view>

#include "base/files.h"

namespace warpbook {

/// Marks a file as used now, so that others go before it.
void touch_cached(const Path& file);
/// Removes files whose names end with one of `extensions`, the least recently used first, until all of them
/// together hold at most `limit` bytes. Whatever else lies in the folder is neither counted nor removed.
void keep_cache_within(const Path& folder, const std::vector<std::string_view>& extensions, uint64_t limit);

}  // namespace warpbook
