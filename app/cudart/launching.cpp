// See launching.h.
#include "cudart/launching.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "model/occupancy.h"

namespace warpbook::cudart {
namespace {

constexpr size_t sample_bytes = 64;

std::string_view status_name(RunStatus status) {
  switch (status) {
    case RunStatus::ok: return "ok";
    case RunStatus::fault: return "fault";
    case RunStatus::launch_error: return "launch-error";
    case RunStatus::limit: return "limit";
    case RunStatus::unsupported: return "unsupported";
    case RunStatus::cancelled: return "cancelled";
  }
  return {};
}

/// Memory that the host registered has an address of its own on the device; a kernel may be given either.
uint64_t as_device_address(const Runtime& runtime, uint64_t value) {
  const Block* block = runtime.memory.holding(value, 1);
  if (!block || block->address == block->on_device) return value;
  return block->on_device + (value - block->address);
}

/// Each argument's bytes, as the program's array of pointers gives them, and what they say on the tape.
std::vector<KernelArgument> take_arguments(Call& call, const Kernel& kernel, const ProgramKernel& known,
                                           void** pointers) {
  std::vector<KernelArgument> arguments;
  const auto& parameters = known.info.parameters;
  const bool typed = kernel.types.size() == parameters.size();
  for (size_t i = 0; i < parameters.size(); ++i) {
    KernelArgument argument;
    argument.name = fmt::format("argument {}", i + 1);
    argument.bytes.resize(parameters[i].bytes);
    std::memcpy(argument.bytes.data(), pointers[i], parameters[i].bytes);
    const std::string type = typed ? kernel.types[i].text : std::string();
    if (call.recording) {
      call.row.arguments.push_back(
          {fmt::format("{}", i + 1), value_text(type, pointers[i], parameters[i].bytes)});
    }
    // Pointers also lie inside structures that are passed by value.
    const bool scalar = typed && !kernel.types[i].pointer && parameters[i].bytes <= 8 &&
                        type.find_first_of("*&") == std::string::npos;
    for (size_t at = 0; !scalar && at + 8 <= argument.bytes.size(); at += 8) {
      uint64_t value = 0;
      std::memcpy(&value, argument.bytes.data() + at, sizeof value);
      const uint64_t there = as_device_address(call.runtime, value);
      std::memcpy(argument.bytes.data() + at, &there, sizeof there);
      if (!call.recording || (value == 0 && argument.bytes.size() > 8)) continue;
      TapePlace place = call.runtime.memory.place(fmt::format("{}", i + 1), value);
      if (place.kind != MemoryKind::not_mapped) call.row.places.push_back(std::move(place));
    }
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

/// Elements are counted in the type that the kernel's parameter points to.
void describe_elements(Call& call, ProgramDevice& device, const Kernel& kernel,
                       const std::vector<KernelArgument>& arguments) {
  for (size_t i = 0; i < arguments.size() && i < kernel.types.size(); ++i) {
    if (!kernel.types[i].pointer || kernel.types[i].element_bytes == 0 || arguments[i].bytes.size() != 8)
      continue;
    uint64_t address = 0;
    std::memcpy(&address, arguments[i].bytes.data(), sizeof address);
    const Block* block = call.runtime.memory.near(address);
    if (block && block->row != 0 && block->live)
      device.describe(block->on_device, kernel.types[i].element_bytes);
  }
}

struct Refusal {
  int code = success;
  std::string note;
};

Refusal refuse(Runtime& runtime, Kernel& kernel, const ProgramKernel& known, const LaunchRequest& request) {
  const uint64_t threads = uint64_t(request.block.x) * request.block.y * request.block.z;
  if (known.max_threads != 0 && threads > known.max_threads &&
      threads <= uint64_t(runtime.gpu().max_threads_per_block)) {
    return {out_of_resources,
            fmt::format("The block has {} threads; __launch_bounds__ promised the compiler at most {}.",
                        threads, known.max_threads)};
  }
  if (!request.cooperative) return {};
  const ActiveBlocks fit = active_blocks(runtime, kernel, int64_t(threads), request.shared_bytes);
  if (fit.code != success) return {fit.code, fit.note};
  const uint64_t blocks = uint64_t(request.grid.x) * request.grid.y * request.grid.z;
  const uint64_t most = uint64_t(fit.blocks) * uint64_t(runtime.multiprocessors());
  if (blocks > most) {
    return {cooperative_too_large,
            fmt::format("All {} blocks of a cooperative launch must be on the device at once; {} fit.",
                        blocks, most)};
  }
  return {};
}

void note_result(Call& call, ProgramDevice& device, const ProgramLaunch& result) {
  Runtime& runtime = call.runtime;
  TapeLaunch& tape = *call.row.launch;
  tape.status = status_name(result.report.status);
  tape.warp_instructions = result.report.warp_instructions;
  if (runtime.settings.level != Level::run) {
    const Counters& counters = result.report.counters;
    tape.active_lane_share = counters.active_lane_share();
    tape.global_load_sectors = counters.global_load.sectors;
    tape.global_store_sectors = counters.global_store.sectors;
    tape.divergent_branches = counters.divergent_branches;
  }
  tape.diagnostics = result.report.diagnostics;
  tape.repeats = result.repeats;
  for (const MemoryChange& change : result.changes) {
    const Block* block = runtime.memory.starting(change.allocation);
    if (!block || (block->row == 0 && block->variable.empty())) continue;
    TapeEffect effect{block->row, block->variable, change.first, change.bytes, {}};
    effect.sample.resize(std::min<uint64_t>(sample_bytes, change.bytes));
    (void)device.read(change.allocation + change.first, std::as_writable_bytes(std::span(effect.sample)));
    tape.effects.push_back(std::move(effect));
  }
}

/// The first error that a GPU would notice.
int error_of(const RunReport& report) {
  if (report.status == RunStatus::limit) return launch_timeout;
  for (const Diagnosis& d : report.diagnostics) {
    if (d.severity != Severity::error) continue;
    if (const int code = code_for(d.kind); code != success) return code;
  }
  return success;
}

double modelled_ms(Runtime& runtime, ProgramDevice& device, const LoadedKernel& loaded, const Launch& launch,
                   const ProgramLaunch& result, uint64_t row) {
  if (result.repeats != 0) return runtime.modelled_ms[result.repeats];
  KernelCost cost;
  cost.launch = launch;
  cost.trace = result.report.status == RunStatus::ok ? result.trace.get() : nullptr;
  cost.warp_instructions = result.report.warp_instructions;
  cost.registers = device.resources(loaded.module, loaded.kernel->symbol).registers;
  cost.static_shared_bytes = loaded.known->info.static_shared_bytes;
  cost.footprint_bytes = double(runtime.memory.device_bytes());
  return runtime.modelled_ms[row] = kernel_ms(runtime.gpu(), cost);
}

void say_null_kernels(Runtime& runtime) {
  if (runtime.null_kernels_said) return;
  runtime.null_kernels_said = true;
  std::fputs("warpbook: WARPBOOK_NULL_KERNELS=1: kernels are launched and do nothing\n", stderr);
}

}  // namespace

LoadedKernel loaded_kernel(Runtime& runtime, const void* stub_or_handle) {
  LoadedKernel loaded;
  loaded.kernel = runtime.registry.kernel(stub_or_handle);
  if (!loaded.kernel) {
    loaded.code = invalid_function;
    loaded.note = "This is no kernel of the program.";
    return loaded;
  }
  auto device = runtime.device();
  if (!device) {
    loaded.code = initialization_error;
    loaded.note = device.error().message;
    return loaded;
  }
  RegisteredModule& module = runtime.registry.module(loaded.kernel->module);
  auto number = runtime.load(module);
  if (!number) {
    loaded.code = module.ptx_bytes == 0 ? no_image : invalid_ptx;
    loaded.note = to_string(number.error());
    return loaded;
  }
  loaded.module = *number;
  loaded.known = (*device)->kernel(*number, loaded.kernel->symbol);
  if (!loaded.known) {
    loaded.code = invalid_function;
    loaded.note = fmt::format("The program's PTX has no kernel {}.", loaded.kernel->name);
    return loaded;
  }
  if (loaded.kernel->types.empty()) loaded.kernel->types = parameter_types(loaded.kernel->symbol);
  return loaded;
}

ActiveBlocks active_blocks(Runtime& runtime, Kernel& kernel, int64_t block_size, size_t shared_bytes) {
  const LoadedKernel loaded = loaded_kernel(runtime, &kernel);
  if (!loaded.known) return {loaded.code, loaded.note, 0};
  if (block_size < 1) return {invalid_value, "A block has at least one thread.", 0};
  OccupancyQuestion question;
  question.block_size = block_size;
  question.registers = (*runtime.device())->resources(loaded.module, kernel.symbol).registers;
  question.static_bytes = loaded.known->info.static_shared_bytes;
  question.dynamic_bytes = int64_t(shared_bytes);
  question.carveout = kernel.carveout;
  auto occupancy = occupancy_of(runtime.gpu(), question);
  if (!occupancy) return {invalid_value, occupancy.error().message, 0};
  return {success, {}, int(occupancy->active_blocks)};
}

int launch(const char* name, const LaunchRequest& request) {
  Call call(name);
  Runtime& runtime = call.runtime;
  call.row.kind = TapeKind::launch;
  call.row.launch.emplace();
  TapeLaunch& tape = *call.row.launch;
  if (!call.thread.launch_frames.empty()) call.row.frames = std::move(call.thread.launch_frames);
  call.thread.launch_frames.clear();
  tape.launch.grid = {request.grid.x, request.grid.y, request.grid.z};
  tape.launch.block = {request.block.x, request.block.y, request.block.z};
  tape.launch.shared_bytes = uint32_t(std::min<size_t>(request.shared_bytes, UINT32_MAX));
  tape.cooperative = request.cooperative;
  if (const Kernel* kernel = runtime.registry.kernel(request.kernel)) {
    tape.kernel = kernel->name;
    tape.symbol = kernel->symbol;
    tape.module = kernel->module;
  }
  Stream* stream = runtime.stream(request.stream);
  call.row.stream = stream ? int64_t(stream->number) : -1;
  const auto fail = [&](int code, std::string note) {
    tape.status = "launch-error";
    tape.error = code;
    return call.finish(code, std::move(note));
  };
  if (call.refused()) {
    tape.status = "launch-error";
    return call.finish();
  }
  if (!stream) return fail(invalid_handle, "There is no such stream: it was destroyed, or never created.");
  const LoadedKernel loaded = loaded_kernel(runtime, request.kernel);
  if (!loaded.known) return fail(loaded.code, loaded.note);
  Kernel& kernel = *loaded.kernel;
  ProgramDevice& device = **runtime.device();
  if (!request.arguments && !loaded.known->info.parameters.empty())
    return fail(invalid_value, "There are no arguments.");
  const std::vector<KernelArgument> arguments =
      take_arguments(call, kernel, *loaded.known, request.arguments);
  if (Refusal refusal = refuse(runtime, kernel, *loaded.known, request); refusal.code != success) {
    return fail(refusal.code, std::move(refusal.note));
  }
  tape.launch.shared_optin =
      kernel.most_dynamic_shared >= 0 && request.shared_bytes <= size_t(kernel.most_dynamic_shared);
  if (runtime.pending.code != success) {
    // The device stands still since the kernel that failed; nobody has been told yet.
    tape.status = "cancelled";
    return call.finish(
        success, fmt::format("It does not run: the kernel of row {} failed before.", runtime.pending.row));
  }
  call.write_in_progress();

  ProgramLaunch result;
  if (runtime.settings.null_kernels) {
    say_null_kernels(runtime);
    tape.status = "null";
  } else {
    describe_elements(call, device, kernel, arguments);
    RunOptions options;
    options.level = runtime.settings.level;
    options.max_instructions = runtime.settings.max_instructions;
    if (const auto stack = runtime.limits.find(0); stack != runtime.limits.end()) {
      options.stack_bytes = uint32_t(std::clamp<size_t>(stack->second, 1024, 512u << 10));
    }
    result = device.launch(loaded.module, kernel.symbol, tape.launch, arguments, options, call.row.sequence,
                           runtime.settings.memo, runtime.capturing.most(call.recording, options.level));
    note_result(call, device, result);
    runtime.capturing.take(runtime.tape, runtime.registry, kernel, runtime.gpu().compute, call.row.sequence,
                           arguments, result);
    tape.repetition = result.repeats ? ++runtime.repetitions[result.repeats] + 1 : 1;
    runtime.unprinted += result.report.printf;
  }
  if (result.report.status == RunStatus::launch_error) {
    const Diagnosis& why = result.report.diagnostics.front();
    const int code = code_for(why.kind);
    tape.error = code == success ? int(invalid_value) : code;
    return call.finish(tape.error, why.message);
  }
  ++kernel.launches;
  tape.error = error_of(result.report);
  if (tape.error != success) runtime.pending = {tape.error, call.row.sequence};
  const Span span = runtime.timeline.kernel(
      *stream, modelled_ms(runtime, device, loaded, tape.launch, result, call.row.sequence));
  call.row.begin_ms = span.begin_ms;
  call.row.end_ms = span.end_ms;
  return call.finish(success);
}

}  // namespace warpbook::cudart
