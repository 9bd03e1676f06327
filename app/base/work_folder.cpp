// See work_folder.h.
#include "base/work_folder.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/file_trouble.h"

namespace warpbook {

namespace {

constexpr std::string_view unique = "XXXXXX";  // mkdtemp(3) fills it

}  // namespace

Result<WorkFolder> WorkFolder::make(std::string_view purpose) {
  std::error_code code;
  const Path above = std::filesystem::temp_directory_path(code);
  if (code) return file_trouble("find a folder for temporary files", "TMPDIR", code.value());
  std::string name = (above / fmt::format("warpbook-{}-{}", purpose, unique)).string();
  if (::mkdtemp(name.data()) == nullptr)
    return file_trouble("make a folder for temporary files", above, errno);
  return WorkFolder(name);
}

WorkFolder::WorkFolder(WorkFolder&& other) noexcept : path_(std::move(other.path_)) { other.path_.clear(); }

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

std::string WorkFolder::unique_part() const {
  const std::string name = path_.filename().string();
  return name.substr(name.size() - unique.size());
}

void WorkFolder::open_to_all() const { ::chmod(path_.c_str(), 0777); }

}  // namespace warpbook
