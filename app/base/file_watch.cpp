// Events only wake it up; what has changed is told by the file's own state. So events that get lost, and file
// systems that send none, cost a moment and never a change.
#include "base/file_watch.h"

#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

namespace warpbook {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// How often the file is looked at: without events, and with them for those that never come.
constexpr auto look_again = 250ms, look_again_with_events = 1000ms;
/// A save is over when the file has kept still so long.
constexpr auto at_rest = 60ms;
/// A file that is written without end is taken as it is after that.
constexpr auto longest_save = 2000ms;

}  // namespace

FileWatch::FileWatch(Path file, bool events) : file_(std::move(file)) {
  if (events) {
    events_ = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    const Path folder = file_.has_parent_path() ? file_.parent_path() : Path(".");
    // The folder, not the file: a rename puts another file in its place.
    if (events_ >= 0 && inotify_add_watch(events_, folder.c_str(),
                                          IN_CLOSE_WRITE | IN_MODIFY | IN_MOVED_TO | IN_CREATE) < 0) {
      close(events_);
      events_ = -1;
    }
  }
  seen_ = state();
}

FileWatch::~FileWatch() {
  if (events_ >= 0) close(events_);
}

FileWatch::State FileWatch::state() const {
  State now;
  struct stat found;
  if (stat(file_.c_str(), &found) != 0) return now;
  std::error_code failed;
  now.there = true;
  now.time = std::filesystem::last_write_time(file_, failed);
  now.size = uintmax_t(found.st_size);
  now.number = found.st_ino;
  return now;
}

void FileWatch::rest(std::chrono::milliseconds most) {
  if (events_ < 0) {
    std::this_thread::sleep_for(std::min<std::chrono::milliseconds>(most, look_again));
    return;
  }
  pollfd waiting{events_, POLLIN, 0};
  const auto longest = std::min<std::chrono::milliseconds>(most, look_again_with_events);
  if (poll(&waiting, 1, int(longest.count())) <= 0) return;
  alignas(inotify_event) char buffer[4096];
  while (read(events_, buffer, sizeof buffer) > 0) {
  }
}

bool FileWatch::changed(std::chrono::milliseconds timeout) {
  const auto end = Clock::now() + timeout;
  State now = state();
  while (now == seen_ || !now.there) {  // an editor that renames leaves a moment without a file
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    if (left <= 0ms) return false;
    rest(left);
    now = state();
  }
  for (const auto began = Clock::now(); Clock::now() - began < longest_save;) {
    std::this_thread::sleep_for(at_rest);
    const State later = state();
    if (later == now && later.there) break;
    now = later;
  }
  seen_ = now;
  return true;
}

}  // namespace warpbook
