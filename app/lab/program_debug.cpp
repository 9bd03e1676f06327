// See program_debug.h.
#include "lab/program_debug.h"

#include <chrono>

#include "base/text.h"

namespace warpbook {

ProgramDebugBuilds::ProgramDebugBuilds(const ProgramBuilder& builder, BuildRequest order,
                                       const std::atomic<bool>* stop)
    : builder_(builder), order_(std::move(order)), users_stop_(stop) {}

ProgramDebugBuilds::~ProgramDebugBuilds() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
}

void ProgramDebugBuilds::begin() {
  if (!thread_.joinable()) thread_ = std::thread([this] { compile(); });
}

void ProgramDebugBuilds::compile() {
  for (const ProgramFile& file : order_.files) {
    if (stop_ || file.path.extension() != ".cu") continue;
    auto code = builder_.device_code(order_, file, DeviceCodeKind::for_debugger, std::nullopt, &stop_);
    if (code && code->ptx) texts_.push_back(std::move(*code->ptx));
  }
  done_ = true;
}

const std::string* ProgramDebugBuilds::with_kernel(const std::string& symbol) {
  begin();
  while (!done_) {
    if (users_stop_ && *users_stop_) stop_ = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  // Only this thread reads it from here on: done_ orders the writes before.
  for (const std::string& text : texts_) {
    const size_t at = text.find(".entry " + symbol);
    const char behind = at == std::string::npos ? 'x' : text[at + 7 + symbol.size()];
    if (behind == '(' || behind == '\n' || behind == ' ' || behind == '{') return &text;
  }
  return nullptr;
}

}  // namespace warpbook
