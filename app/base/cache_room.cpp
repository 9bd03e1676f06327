// Age is the file's time of last write, which a hit renews.
#include "base/cache_room.h"

#include <algorithm>

namespace warpbook {

void touch_cached(const Path& file) {
  std::error_code ignored;
  std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now(), ignored);
}

void keep_cache_within(const Path& folder, const std::vector<std::string_view>& extensions, uint64_t limit) {
  struct File {
    std::filesystem::file_time_type used;
    uint64_t bytes;
    Path path;
  };
  std::vector<File> files;
  uint64_t total = 0;
  for (const std::string& name : list_folder(folder)) {
    const bool ours = std::any_of(extensions.begin(), extensions.end(), [&](std::string_view extension) {
      return name.size() > extension.size() &&
             std::string_view(name).substr(name.size() - extension.size()) == extension;
    });
    if (!ours) continue;
    std::error_code code;
    File file{{}, 0, folder / name};
    file.bytes = std::filesystem::file_size(file.path, code);
    if (code) continue;  // another process removed it
    file.used = std::filesystem::last_write_time(file.path, code);
    if (code) continue;
    total += file.bytes;
    files.push_back(std::move(file));
  }
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.used < b.used; });
  for (const File& file : files) {
    if (total <= limit) return;
    std::error_code ignored;
    std::filesystem::remove(file.path, ignored);
    total -= file.bytes;
  }
}

}  // namespace warpbook
