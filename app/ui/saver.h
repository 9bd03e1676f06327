#pragma once
// Files written behind the frame: packing a large picture and waiting for a disk must not stop the window.
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace warpbook::ui {

class Saver {
 public:
  explicit Saver(std::function<void()> wake);
  /// Finishes what waits: what a person asked to keep is kept.
  ~Saver();
  Saver(const Saver&) = delete;
  Saver& operator=(const Saver&) = delete;

  /// `work` runs on the saver's thread and returns what to tell the learner.
  void submit(std::function<std::string()> work);
  bool busy() const;
  /// What finished work had to tell, in order.
  std::vector<std::string> take();

 private:
  void run();

  std::function<void()> wake_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<std::string()>> waiting_;
  std::vector<std::string> told_;
  bool working_ = false, closing_ = false;
  std::thread thread_;
};

}  // namespace warpbook::ui
