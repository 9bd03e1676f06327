#include "ui/saver.h"

#include <utility>

namespace warpbook::ui {

Saver::Saver(std::function<void()> wake) : wake_(std::move(wake)), thread_([this] { run(); }) {}

Saver::~Saver() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Saver::submit(std::function<std::string()> work) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(work));
  }
  changed_.notify_all();
}

bool Saver::busy() const {
  const std::lock_guard lock(mutex_);
  return working_ || !waiting_.empty() || !told_.empty();
}

std::vector<std::string> Saver::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(told_, {});
}

void Saver::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return closing_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const std::function<std::string()> work = std::move(waiting_.front());
    waiting_.pop_front();
    working_ = true;
    lock.unlock();
    std::string words = work();
    lock.lock();
    working_ = false;
    told_.push_back(std::move(words));
    lock.unlock();
    wake_();
    lock.lock();
  }
}

}  // namespace warpbook::ui
