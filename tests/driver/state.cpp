#include "driver/state.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "base/text.h"

namespace standin {

std::string setting(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

bool names_it(const char* variable, const std::string& kernel) {
  const std::string text = setting(variable, "");
  return !text.empty() && kernel.find(text) != std::string::npos;
}

namespace {

void report() {
  const std::string file = setting("STANDIN_REPORT", "");
  if (file.empty()) return;
  State& state = State::get();
  const std::lock_guard lock(state.mutex);
  if (std::FILE* out = std::fopen(file.c_str(), "a")) {
    for (const std::string& line : state.misuse) std::fprintf(out, "%s\n", line.c_str());
    for (const std::string& line : state.leaks()) std::fprintf(out, "%s\n", line.c_str());
    std::fclose(out);
  }
}

}  // namespace

State& State::get() {
  static State* const state = [] {
    std::atexit(report);
    return new State;
  }();
  return *state;
}

std::vector<std::string> State::leaks() const {
  std::vector<std::string> found;
  const auto count = [&](size_t left, const char* what) {
    if (left > 0) found.push_back(std::to_string(left) + " " + what + " left");
  };
  for (const auto& [device, context] : contexts) {
    count(size_t(context->retained), "retains of a context");
    count(context->allocations.size(), "allocations");
    count(context->host.size(), "host allocations");
    count(context->modules.size(), "modules");
    count(context->streams.size(), "streams");
    count(context->events.size(), "events");
    count(context->graphics.size(), "registered pictures");
  }
  return found;
}

std::vector<ContextObject*>& stack_of_this_thread() {
  thread_local std::vector<ContextObject*> stack;
  return stack;
}

Call::Call(const char* name) : name_(name), lock_(State::get().mutex) {
  State& state = State::get();
  ++state.calls[name_];
  const std::string wanted = setting("STANDIN_FAIL", "");
  if (wanted != state.fail_setting) {
    state.fail_setting = wanted;
    state.fail_counts.clear();
  }
  const int count = ++state.fail_counts[name_];
  for (const std::string_view one : warpbook::split(wanted, ',')) {
    const auto parts = warpbook::split(one, ':');
    if (parts.size() != 3 || parts[0] != name_) continue;
    const auto nth = warpbook::parse_int(parts[1]), code = warpbook::parse_int(parts[2]);
    if (nth && code && (*nth == 0 || *nth == count)) code_ = Code(*code);
  }
  if (code_ == code::success && name_ != "cuInit" && name_.rfind("cuGetError", 0) != 0 &&
      name_ != "cuDriverGetVersion" && !state.initialised) {
    state.wrong(name_ + " before cuInit");
    code_ = code::not_initialized;
  }
}

ContextObject* Call::context() {
  auto& stack = stack_of_this_thread();
  if (stack.empty() || stack.back() == nullptr) {
    code_ = wrong("no context is current", code::invalid_context);
    return nullptr;
  }
  ContextObject* context = stack.back();
  bool known = false;
  for (const auto& [device, one] : State::get().contexts)
    known = known || (one.get() == context && one->retained > 0);
  if (!known) {
    code_ = wrong("the current context was given back", code::invalid_context);
    return nullptr;
  }
  if (context->sticky != code::success) {
    code_ = context->sticky;
    return nullptr;
  }
  return context;
}

Code Call::wrong(const std::string& what, Code code) {
  State::get().wrong(name_ + ": " + what);
  return code;
}

int device_count() { return int(warpbook::parse_int(setting("STANDIN_DEVICES", "1")).value_or(1)); }
int compute_major() {
  const std::string text = setting("STANDIN_COMPUTE", "9.0");
  return int(warpbook::parse_int(text.substr(0, text.find('.'))).value_or(9));
}
int compute_minor() {
  const std::string text = setting("STANDIN_COMPUTE", "9.0");
  return int(warpbook::parse_int(text.substr(text.find('.') + 1)).value_or(0));
}

warpbook::GpuRow limits() {
  warpbook::GpuRow row;
  row.name = "Stand-in GPU";
  row.compute = std::to_string(compute_major()) + "." + std::to_string(compute_minor());
  row.sms = 4;
  row.max_warps_per_sm = 64;
  row.max_blocks_per_sm = 32;
  row.shared_per_sm = 233472;
  row.shared_per_block_optin = 232448;
  row.shared_reserved = 1024;
  row.memory_bytes = 1u << 30;
  return row;
}

double now_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace standin

// What a test asks the stand-in itself, by these names.
using standin::State;

extern "C" {
__attribute__((visibility("default"))) int standin_calls(const char* name) {
  State& state = State::get();
  const std::lock_guard lock(state.mutex);
  const auto found = state.calls.find(name);
  return found == state.calls.end() ? 0 : found->second;
}
__attribute__((visibility("default"))) const char* standin_misuse() {
  State& state = State::get();
  const std::lock_guard lock(state.mutex);
  static std::string text;
  text.clear();
  for (const std::string& line : state.misuse) text += line + "\n";
  return text.c_str();
}
__attribute__((visibility("default"))) const char* standin_leaks() {
  State& state = State::get();
  const std::lock_guard lock(state.mutex);
  static std::string text;
  text.clear();
  for (const std::string& line : state.leaks()) text += line + "\n";
  return text.c_str();
}
/// Everything as at the start; what a test left behind is gone.
__attribute__((visibility("default"))) void standin_forget() {
  State& state = State::get();
  const std::lock_guard lock(state.mutex);
  state.misuse.clear();
  state.calls.clear();
  state.fail_counts.clear();
  state.textures.clear();
  for (auto& [device, context] : state.contexts)
    for (auto& [handle, module] : context->modules) module->instance.reset();
  state.contexts.clear();
  standin::stack_of_this_thread().clear();
}
/// Pixels that the texture was last given; 0 when it was given none of that size.
__attribute__((visibility("default"))) int standin_texture(unsigned texture, uint32_t* pixels, size_t count) {
  State& state = State::get();
  const std::lock_guard lock(state.mutex);
  const auto found = state.textures.find(texture);
  if (found == state.textures.end() || found->second.size() != count) return 0;
  for (size_t i = 0; i < count; ++i) pixels[i] = found->second[i];
  return 1;
}
}
