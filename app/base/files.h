#pragma once
// Files and folders. A write goes to a temporary name beside the target and is renamed, so a killed process
// or a full disk leaves the old content whole.
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace warpbook {

using Path = std::filesystem::path;

/// The whole file, at most `limit` bytes (a larger one is an error that names both sizes).
Result<std::string> read_file(const Path& path, uint64_t limit = 64u << 20);
/// Writes by rename; makes the folder when it is not there. fsync before the rename.
Result<Done> write_file(const Path& path, std::string_view content);
/// Names (not paths) of the folder's entries, sorted; a missing folder is an empty list.
std::vector<std::string> list_folder(const Path& folder);

/// The folders that belong to the user, after the XDG rules: progress and settings, the learner's own files,
/// cache.
struct UserFolders {
  Path data;    ///< $WARPBOOK_HOME/data or $XDG_DATA_HOME/warpbook: progress, the learner's exercise files
  Path config;  ///< settings
  Path cache;   ///< compiled PTX
};
UserFolders user_folders();

}  // namespace warpbook
