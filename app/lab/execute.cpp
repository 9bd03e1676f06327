#include "lab/execute.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/clock.h"
#include "base/complaint.h"
#include "base/text.h"

namespace warpbook {

namespace {

void enter(RunProgress* progress, int stage) {
  if (progress) progress->stage = stage;
}

const KernelInfo* find_kernel(const std::vector<KernelInfo>& kernels, const std::string& name) {
  const auto found =
      std::find_if(kernels.begin(), kernels.end(), [&](const KernelInfo& k) { return k.name == name; });
  return found == kernels.end() ? nullptr : &*found;
}

std::string ptx_name_of(const CompiledCode& code, const KernelChoice& choice) {
  for (const auto& [source, ptx] : code.names)
    if (source == choice.expression) return ptx;
  return choice.source.name;
}

RunReport out_of_memory(const ArgumentSpec& argument, const Error& error) {
  Diagnosis diagnosis;
  diagnosis.kind = "out-of-memory";
  diagnosis.access = "launch";
  diagnosis.buffer = argument.name;
  diagnosis.message = fmt::format("There is no device memory left for {}. {}", argument.name, error.message);
  diagnosis.hint = "Use fewer elements.";
  RunReport report;
  report.status = RunStatus::launch_error;
  report.diagnostics.push_back(std::move(diagnosis));
  return report;
}

/// Buffers of one launch; freed with the next reset of the device.
Result<std::vector<DeviceAddress>> allocate(Device& device, std::span<const ArgumentSpec> arguments,
                                            std::optional<RunReport>& refused) {
  std::vector<DeviceAddress> addresses(arguments.size(), 0);
  for (size_t i = 0; i < arguments.size(); ++i) {
    const ArgumentSpec& argument = arguments[i];
    // Nothing to allocate: cudaMalloc of no bytes gives a null pointer, too.
    if (argument.kind != ArgumentSpec::Kind::buffer || argument.count == 0) continue;
    const uint32_t width = bytes_of(argument.type);
    const auto address = device.allocate(argument.count * width, argument.name, width);
    if (!address && address.error().trouble == Trouble::limit) {
      refused = out_of_memory(argument, address.error());
      return addresses;
    }
    if (!address) return address.error();
    addresses[i] = *address;
    if (argument.uninitialised) continue;
    if (const auto copied = device.copy_in(*address, argument.bytes); !copied) return copied.error();
  }
  return addresses;
}

std::vector<KernelArgument> kernel_arguments(const LoadedKernel& kernel,
                                             std::span<const ArgumentSpec> arguments,
                                             const std::vector<DeviceAddress>& addresses) {
  std::vector<KernelArgument> out;
  for (size_t i = 0; i < arguments.size(); ++i) {
    KernelArgument argument{arguments[i].name, {}};
    if (arguments[i].kind == ArgumentSpec::Kind::buffer || arguments[i].kind == ArgumentSpec::Kind::null) {
      for (int byte = 0; byte < 8; ++byte) argument.bytes.push_back(std::byte(addresses[i] >> (8 * byte)));
    } else {
      argument.bytes = arguments[i].bytes;
    }
    argument.bytes.resize(kernel.info.parameters[i].bytes);
    out.push_back(std::move(argument));
  }
  return out;
}

}  // namespace

Diagnosis as_diagnosis(const Error& error, std::string kind) {
  Diagnosis diagnosis;
  diagnosis.kind = std::move(kind);
  diagnosis.message = error.message;
  diagnosis.hint = error.hint;
  diagnosis.file = error.where.file;
  diagnosis.line = error.where.line;
  diagnosis.column = error.where.column;
  return diagnosis;
}

std::string status_of(const RunReport& report) {
  switch (report.status) {
    case RunStatus::ok: return has_errors(report.diagnostics) ? "fault" : "ok";
    case RunStatus::fault: return "fault";
    case RunStatus::launch_error: return "launch-error";
    case RunStatus::limit: return has_errors(report.diagnostics) ? "fault" : "limit";
    case RunStatus::unsupported: return "unsupported";
    case RunStatus::cancelled: return "limit";
  }
  return "fault";
}

void take_report(RunResult& result, RunReport& report, Level level) {
  result.status = status_of(report);
  std::move(report.diagnostics.begin(), report.diagnostics.end(), std::back_inserter(result.diagnostics));
  if (level != Level::run && report.status != RunStatus::launch_error) {
    result.counters = report.counters;
    result.lines = std::move(report.lines);
  }
  result.printf = std::move(report.printf);
  result.fixed_order = report.fixed_order;
  result.warp_instructions = report.warp_instructions;
  result.write_maps = std::move(report.write_maps);
  result.warps = std::move(report.warps);
  result.recording = std::move(report.recording);
  result.block_recording = std::move(report.block_recording);
}

int exit_code_of(std::string_view status) {
  if (status == "ok") return 0;
  if (status == "compile-error") return 2;
  if (status == "limit") return 3;
  if (status == "bad-arguments") return 4;
  return 1;
}

Result<CompileStep> compile_kernel(Session& session, const CompileOrder& order, RunProgress* progress) {
  CompileStep step;
  const auto refuse = [&](const char* status, Diagnosis diagnosis) {
    step.status = status;
    step.diagnostics.push_back(std::move(diagnosis));
    return step;
  };
  const SourceScan scan = scan_source(order.source);
  if (scan.has_main)
    return refuse(
        "bad-arguments",
        as_diagnosis(
            complaint("this file has a main function, and this version runs single kernels only",
                      "move the kernel into a file of its own, with // launch: and // args: lines on top",
                      {order.file, 0, 0}),
            "bad-argument"));
  auto choice = choose_kernel(scan, order.kernel, order.file);
  if (!choice) return refuse("bad-arguments", as_diagnosis(choice.error(), "bad-argument"));

  enter(progress, 1);
  CompileRequest request;
  request.source = order.source;
  request.file = order.file;
  if (!choice->expression.empty()) request.names.push_back(choice->expression);
  Device& device = order.device ? *order.device : *session.device;
  request.compute = device.capabilities().compute;
  request.defines = order.defines;
  request.machine_code = order.machine_code;
  if (const Path folder = Path(order.file).parent_path(); !folder.empty())
    request.include_folders.push_back(folder);
  auto outcome = session.compiler->compile(request, progress ? &progress->stop : nullptr);
  if (!outcome) return outcome.error();
  step.diagnostics = std::move(outcome->diagnostics);
  if (!outcome->code) {
    step.status = "compile-error";
    return step;
  }
  step.times.compile_ms = outcome->code->compile_ms;
  step.times.cached = outcome->code->cached;

  const auto start = Clock::now();
  device.reset();
  if (const auto loaded = device.load(*outcome->code); !loaded) return loaded.error();
  const std::vector<KernelInfo> kernels = device.kernels();
  const std::string ptx_name = ptx_name_of(*outcome->code, *choice);
  const KernelInfo* info = find_kernel(kernels, ptx_name);
  if (!info)
    return refuse("bad-arguments",
                  as_diagnosis(complaint(fmt::format("the compiled code has no kernel {}", choice->name),
                                         "it may stand in an #if that is not taken",
                                         {order.file, choice->source.line, 0}),
                               "bad-argument"));
  step.status = "ok";
  step.kernel =
      LoadedKernel{std::move(*outcome->code), std::move(*choice), ptx_name, *info, milliseconds_since(start)};
  step.times.load_ms = step.kernel->load_ms;
  return step;
}

void summarise(Output& output) {
  // FNV-1a, 64 bits.
  uint64_t hash = 14695981039346656037ull;
  for (const std::byte byte : output.data) hash = (hash ^ uint64_t(byte)) * 1099511628211ull;
  output.checksum = hash;
  output.min.reset();
  output.max.reset();
  output.nan_count = 0;
  for (uint64_t i = 0; i < output.count; ++i) {
    const double value = element_as_double(output.type, output.data.data(), i);
    if (std::isnan(value)) {
      ++output.nan_count;
    } else {
      output.min = output.min ? std::min(*output.min, value) : value;
      output.max = output.max ? std::max(*output.max, value) : value;
    }
  }
}

Result<LaunchStep> execute(Session& session, const LoadedKernel& kernel, const Launch& launch,
                           std::span<const ArgumentSpec> arguments, const RunOptions& options, int repeat,
                           RunProgress* progress) {
  return execute_on(*session.device, session.gpu, kernel, launch, arguments, options, repeat, nullptr,
                    progress);
}

Result<LaunchStep> execute_on(Device& device, const GpuRow& gpu, const LoadedKernel& kernel,
                              const Launch& launch, std::span<const ArgumentSpec> arguments,
                              const RunOptions& options, int repeat, const MeasureRequest* measure,
                              RunProgress* progress, bool copy_out) {
  LaunchStep step;
  enter(progress, 2);
  auto start = Clock::now();
  device.reset();
  if (const auto loaded = device.load(kernel.code); !loaded) return loaded.error();
  step.times.load_ms = milliseconds_since(start);
  start = Clock::now();
  std::optional<RunReport> refused;
  const auto addresses = allocate(device, arguments, refused);
  if (!addresses) return addresses.error();
  if (refused) {
    step.report = std::move(*refused);
    return step;
  }
  step.times.copy_in_ms = milliseconds_since(start);

  enter(progress, 3);
  const auto passed = kernel_arguments(kernel, arguments, *addresses);
  Inspector* inspector = device.inspector();
  if (inspector) inspector->set_gpu(gpu);
  double emulator_ms = 0;
  int launches = 0;
  for (int i = 0; i < std::max(repeat, 1); ++i) {
    auto outcome = inspector ? inspector->inspect(kernel.ptx_name, launch, passed, options)
                             : device.launch(kernel.ptx_name, launch, passed, options.stop);
    if (!outcome) return outcome.error();
    step.report = std::move(outcome->report);
    emulator_ms += step.report.wall_ms;
    ++launches;
    step.times.kernel_ms = outcome->times.kernel_ms;
    step.times.stamp = outcome->times.stamp;
    if (step.report.status != RunStatus::ok) break;
  }
  if (inspector) step.times.emulator_ms = emulator_ms / launches;
  if (step.report.status == RunStatus::cancelled)
    return complaint(Trouble::cancelled, "the run was cancelled");

  step.times.load_note = device.times().load_note;
  if (!inspector && step.report.status != RunStatus::ok) return step;  // what it left is gone or half done

  enter(progress, 4);
  start = Clock::now();
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].kind != ArgumentSpec::Kind::buffer) continue;
    step.buffers.emplace_back(arguments[i].name, (*addresses)[i]);
    if (!copy_out) continue;
    Output output;
    output.name = arguments[i].name;
    output.type = arguments[i].type;
    output.count = arguments[i].count;
    output.data.resize(output.count * bytes_of(output.type));
    if (output.count > 0)
      if (const auto copied = device.copy_out((*addresses)[i], output.data); !copied) return copied.error();
    step.outputs.push_back(std::move(output));
  }
  if (copy_out) step.times.copy_out_ms = milliseconds_since(start);
  if (!inspector && measure) {
    enter(progress, 3);
    auto measured = device.measure(kernel.ptx_name, launch, passed, *measure, options.stop);
    if (!measured) return measured.error();
    step.times.kernel_ms = measured->median_ms;
    step.times.measured = std::move(*measured);
  }
  enter(progress, 5);
  return step;
}

void take_engine_times(Times& into, const Times& from) {
  into.load_ms = from.load_ms;
  into.load_note = from.load_note;
  into.copy_in_ms = from.copy_in_ms;
  into.kernel_ms = from.kernel_ms;
  into.copy_out_ms = from.copy_out_ms;
  into.stamp = from.stamp;
  into.measured = from.measured;
}

}  // namespace warpbook
