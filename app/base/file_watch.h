#pragma once
// Waits for a file to be saved, by whatever editor: written in place, or replaced by rename.
#include <chrono>
#include <cstdint>
#include <filesystem>

#include "base/files.h"

namespace warpbook {

class FileWatch {
 public:
  /// `events`: ask the system for them (inotify). Where it has none, on network and container file systems
  /// among others, the file is looked at a few times a second.
  explicit FileWatch(Path file, bool events = true);
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  /// True when the file has changed since the last call that said so, once it has come to rest: an editor
  /// that saves in several steps is one change. False after `timeout`.
  bool changed(std::chrono::milliseconds timeout);
  /// Whether the system tells of changes.
  bool has_events() const { return events_ >= 0; }

 private:
  /// What tells two states of a file apart without reading it.
  struct State {
    bool there = false;
    std::filesystem::file_time_type time{};
    uintmax_t size = 0;
    uint64_t number = 0;  ///< of the file in its file system: another one after a rename
    bool operator==(const State& other) const {
      return there == other.there && time == other.time && size == other.size && number == other.number;
    }
  };
  State state() const;
  /// Until something happens in the folder, at most so long.
  void rest(std::chrono::milliseconds most);

  Path file_;
  State seen_;
  int events_ = -1;  ///< inotify's descriptor
};

}  // namespace warpbook
