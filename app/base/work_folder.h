#pragma once
// A folder among the system's temporary files that goes away with its owner.
#include <string_view>

#include "base/files.h"
#include "base/result.h"

namespace warpbook {

class WorkFolder {
 public:
  /// Named "warpbook-PURPOSE-" and something unique.
  static Result<WorkFolder> make(std::string_view purpose);
  WorkFolder(WorkFolder&& other) noexcept;
  WorkFolder& operator=(WorkFolder&&) = delete;
  ~WorkFolder();
  const Path& path() const { return path_; }
  /// What makes its name unique, also in other folders and for other processes.
  std::string unique_part() const;
  /// Other users may work in it too.
  void open_to_all() const;

 private:
  explicit WorkFolder(Path path) : path_(std::move(path)) {}
  Path path_;
};

}  // namespace warpbook
