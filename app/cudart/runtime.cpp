// See runtime.h.
#include "cudart/runtime.h"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "model/gpu_table.h"

namespace warpbook::cudart {
namespace {

constexpr uint64_t most_memory = 2ull << 30;
constexpr int most_multiprocessors = 8;
/// All that the host can see of it counts here; what a GPU would have is counted by MemoryTable.
constexpr uint64_t emulator_budget = 256ull << 30;

void stop_in_forked_child() {
  Runtime& runtime = Runtime::get();
  runtime.tape.close();
  runtime.forked = true;
}

}  // namespace

Runtime::Runtime() : settings(settings_from_environment()) {
  tape.open(settings.tape_file);
  if (settings.recorder) {
    // What stands behind the recorder, and the program's children, write no tape.
    unsetenv("WARPBOOK_TAPE_FD");
    unsetenv("WARPBOOK_RECORDER");
  }
  pools.push_back(std::make_unique<Pool>());
  // CUDA does not work in a child that was forked after the first call, and the tape is the parent's.
  pthread_atfork(nullptr, nullptr, stop_in_forked_child);
  watch_faults(*this);
}

Runtime& Runtime::get() {
  static Runtime* const one = new Runtime;  // never destroyed: see the head of runtime.h
  return *one;
}

ThreadState& Runtime::thread() {
  thread_local ThreadState* const state = &get().new_thread();
  return *state;
}

ThreadState& Runtime::new_thread() {
  const std::lock_guard lock(threads_mutex);
  threads.push_back(std::make_unique<ThreadState>());
  threads.back()->number = uint32_t(threads.size() - 1);
  return *threads.back();
}

Result<ProgramDevice*> Runtime::device() {
  if (device_) return device_.get();
  if (gpu_error_) return *gpu_error_;
  auto table = load_gpu_table(settings.gpus);
  if (!table) {
    gpu_error_ = table.error();
    return *gpu_error_;
  }
  auto row = gpu_named(table->gpus, settings.gpu);
  if (!row) {
    gpu_error_ = row.error();
    return *gpu_error_;
  }
  gpu_ = std::move(*row);
  device_ = std::make_unique<ProgramDevice>(gpu_, emulator_budget);
  return device_.get();
}

uint64_t Runtime::total_memory() const { return std::min(gpu_.memory_bytes, most_memory); }

int Runtime::multiprocessors() const { return std::min(gpu_.sms, most_multiprocessors); }

Stream* Runtime::stream(Handle handle) {
  // 0 and the two special handles of driver_types.h: cudaStreamLegacy, cudaStreamPerThread.
  if (reinterpret_cast<uintptr_t>(handle) <= 2) return &default_stream;
  const auto found = streams.find(handle);
  return found == streams.end() ? nullptr : found->second.get();
}

Event* Runtime::event(Handle handle) {
  const auto found = events.find(handle);
  return found == events.end() ? nullptr : found->second.get();
}

void Runtime::note_variables(RegisteredModule& module) {
  for (const RegisteredVariable* variable : module.variables) {
    if (variable->address == 0 || memory.starting(variable->address)) continue;
    Block block;
    block.kind = variable->managed ? MemoryKind::managed : MemoryKind::device;
    block.address = block.on_device = variable->address;
    block.bytes = variable->bytes;
    block.variable = variable->name;
    block.constant = variable->constant;
    memory.add(std::move(block));
  }
}

Result<uint32_t> Runtime::load(RegisteredModule& module) {
  auto emulator = device();
  if (!emulator) return emulator.error();
  auto number = registry.load(module, **emulator);
  if (number) note_variables(module);
  return number;
}

void Runtime::write_module_rows() {
  if (!tape.recording()) return;
  for (; modules_told_ < registry.modules().size(); ++modules_told_) {
    RegisteredModule& module = registry.module(uint32_t(modules_told_));
    // Objects without kernels register too: the link step adds an empty one.
    if (module.kernels.empty() && module.variables.empty()) continue;
    if (!settings.recorder) (void)load(module);
    TapeRow row;
    row.sequence = next_row++;
    row.kind = TapeKind::module;
    row.call = "__cudaRegisterFatBinary";
    row.thread = thread().number;
    row.module.emplace();
    row.module->index = module.number;
    row.module->ptx_bytes = module.ptx_bytes;
    row.module->architecture = module.architecture;
    for (const Kernel* kernel : module.kernels) {
      row.module->kernels.push_back(kernel->name);
      row.module->symbols.push_back(kernel->symbol);
    }
    for (const RegisteredVariable* variable : module.variables) {
      if (!is_of_a_library(variable->symbol)) row.module->variables.push_back(variable->name);
    }
    if (module.problem) {
      row.module->problem = module.problem->message;
      if (!module.problem->hint.empty()) row.module->problem += " " + module.problem->hint;
    }
    tape.write(row);
  }
}

void Runtime::end() {
  if (ended || forked || !tape.recording()) return;
  ended = true;
  TapeRow row;
  row.sequence = next_row++;
  row.kind = TapeKind::end;
  row.call = "end";
  row.host_ms = row.begin_ms = row.end_ms = timeline.host_ms();
  row.end.emplace();
  for (const Block& block : memory.live()) {
    if (block.row != 0) row.end->allocations.push_back({block.row, block.kind, block.address, block.bytes});
  }
  for (const auto& module : registry.modules()) {
    for (const Kernel* kernel : module->kernels) {
      if (kernel->launches == 0 && !is_of_a_library(kernel->symbol))
        row.end->never_launched.push_back(kernel->name);
    }
  }
  row.end->unread = lost;
  for (const auto& t : threads) {
    if (t->last_error == success || t->last_error == sticky.code) continue;
    row.end->unread.push_back({t->number, t->last_error, error_name(t->last_error), t->last_error_row});
  }
  if (pending.code != success) {
    row.end->unread.push_back({0, pending.code, error_name(pending.code), pending.row});
  }
  if (!unprinted.empty()) {
    row.note = "Kernels printed text that was never shown, since the program did not wait for them.";
  }
  tape.write(row);
}

Call::Call(const char* name, Rule rule)
    : runtime(Runtime::get()), thread(Runtime::thread()), recording(runtime.tape.recording()), rule_(rule) {
  lock_ = std::unique_lock(runtime.mutex);
  runtime.write_module_rows();
  runtime.timeline.host_calls();
  row.sequence = runtime.next_row++;
  if (recording) {
    row.call = name;
    row.thread = thread.number;
    row.frames = runtime.tape.callers();
    row.host_ms = row.begin_ms = row.end_ms = runtime.timeline.host_ms();
  }
  if (runtime.forked) {
    code_ = initialization_error;
    row.note = "CUDA cannot be used in a child that was forked after the first call.";
    return;
  }
  if (rule == any_time) return;
  if (thread.in_callback) {
    code_ = not_permitted;
    row.note = "A function that a stream calls must not call CUDA itself.";
    return;
  }
  if (runtime.sticky.code != success) {
    code_ = runtime.sticky.code;
    row.reports = runtime.sticky.row;
    return;
  }
  if (!runtime.settings.failures.empty()) {
    const uint64_t nth = ++runtime.calls[name];
    for (const PlannedFailure& planned : runtime.settings.failures) {
      if (planned.call == name && planned.nth == nth) {
        code_ = planned.code;
        row.injected = true;
      }
    }
  }
}

std::string pointer_text(const void* pointer) {
  return pointer ? fmt::format("{:#x}", reinterpret_cast<uintptr_t>(pointer)) : "null";
}

Call& Call::argument(const char* name, const void* pointer) {
  if (recording) row.arguments.push_back({name, pointer_text(pointer)});
  return *this;
}

Call& Call::argument(const char* name, uint64_t value) {
  if (recording) row.arguments.push_back({name, fmt::format("{}", value)});
  return *this;
}

Call& Call::argument(const char* name, int value) {
  if (recording) row.arguments.push_back({name, fmt::format("{}", value)});
  return *this;
}

Call& Call::argument(const char* name, double value) {
  if (recording) row.arguments.push_back({name, fmt::format("{}", value)});
  return *this;
}

Call& Call::argument(const char* name, std::string text) {
  if (recording) row.arguments.push_back({name, std::move(text)});
  return *this;
}

Call& Call::memory(const char* name, const void* pointer) {
  if (!recording) return *this;
  argument(name, pointer);
  row.places.push_back(runtime.memory.place(name, reinterpret_cast<uint64_t>(pointer)));
  return *this;
}

Stream* Call::stream(Handle handle) {
  Stream* const found = runtime.stream(handle);
  if (recording) {
    row.stream = found ? int64_t(found->number) : -1;
    row.arguments.push_back({"stream", found ? fmt::format("{}", found->number) : pointer_text(handle)});
  }
  if (!found && code_ == success) {
    code_ = invalid_handle;
    row.note = "There is no such stream: it was destroyed, or never created.";
  }
  return found;
}

Event* Call::event(const char* name, Handle handle) {
  Event* const found = runtime.event(handle);
  if (recording)
    row.arguments.push_back({name, found ? fmt::format("event {}", found->number) : pointer_text(handle)});
  if (!found && code_ == success) {
    code_ = invalid_handle;
    row.note = "There is no such event: it was destroyed, or never created.";
  }
  return found;
}

int Call::wait(double until_ms) {
  row.waits = true;
  runtime.timeline.wait_until(until_ms);
  if (!runtime.unprinted.empty()) {
    std::fwrite(runtime.unprinted.data(), 1, runtime.unprinted.size(), stdout);
    runtime.unprinted.clear();
  }
  if (runtime.pending.code == success) return success;
  const LateError late = runtime.pending;
  runtime.pending = {};
  if (is_sticky(late.code)) runtime.sticky = late;
  row.reports = late.row;
  row.note = fmt::format("The kernel of row {} had failed.", late.row);
  return late.code;
}

void Call::write_in_progress() {
  if (!recording) return;
  row.in_progress = true;
  runtime.tape.write(row);
  row.in_progress = false;
}

int Call::finish() { return finish(code_, std::move(row.note)); }

int Call::finish(int code, std::string note) {
  if (!note.empty()) row.note = std::move(note);
  if (code != success && code != not_ready && rule_ != any_time && !runtime.forked) {
    if (thread.last_error != success && thread.last_error_from_launch && thread.last_error != code) {
      runtime.lost.push_back(
          {thread.number, thread.last_error, error_name(thread.last_error), thread.last_error_row});
    }
    thread.last_error = code;
    thread.last_error_row = row.sequence;
    thread.last_error_from_launch = row.kind == TapeKind::launch;
  }
  if (recording) {
    row.code = code;
    const char* name = error_name(code);
    row.code_name = name ? name : "";
    if (row.end_ms < row.begin_ms) row.end_ms = row.begin_ms;
    runtime.tape.write(row);
  }
  return code;
}

}  // namespace warpbook::cudart
