// See opened_launch.h. Pointers keep their values, since memory is laid out again where it was.
#include "lab/opened_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/complaint.h"
#include "base/text.h"
#include "device/program_device.h"
#include "lab/debug_run.h"
#include "lab/encode.h"
#include "lab/explain.h"
#include "lab/program.h"
#include "lab/schedules.h"
#include "result/allocation_name.h"

namespace warpbook {

namespace {

using Clock = std::chrono::steady_clock;

/// What it found fitted the program's memory: it fits this one.
constexpr uint64_t memory_budget = uint64_t(1) << 40;
constexpr double most_seconds = 15;
constexpr std::chrono::milliseconds debug_time{6000};

struct Laid {
  std::unique_ptr<ProgramDevice> device;
  uint32_t module = 0;
  std::vector<KernelArgument> arguments;
};

Result<Laid> lay_out(const Session& session, const OpenedLaunch& opened, const std::string& ptx) {
  Laid laid;
  laid.device = std::make_unique<ProgramDevice>(session.gpu, memory_budget);
  for (size_t i = 0; i < opened.captured->arguments.size(); ++i) {
    const std::string& bytes = opened.captured->arguments[i];
    KernelArgument argument;
    argument.name = i < opened.parameters.size() && !opened.parameters[i].name.empty()
                        ? opened.parameters[i].name
                        : fmt::format("argument {}", i + 1);
    const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
    argument.bytes.assign(first, first + bytes.size());
    laid.arguments.push_back(std::move(argument));
  }
  auto module = laid.device->restore(*opened.captured, ptx, laid.arguments);
  if (!module) return module.error();
  laid.module = *module;
  const ProgramKernel* kernel = laid.device->kernel(laid.module, opened.symbol);
  if (!kernel || kernel->info.parameters.size() != laid.arguments.size())
    return complaint(fmt::format("the code has no kernel {} with these parameters any more", opened.kernel),
                     "its name and its parameters stay as they are: the launch brings the arguments",
                     {opened.file, 0, 0});
  return laid;
}

/// The captured memory that an address leads to; null when it leads nowhere.
const CapturedMemory* memory_at(const CapturedLaunch& captured, uint64_t address) {
  for (const CapturedMemory& one : captured.memory)
    if (address - one.address < std::max<uint64_t>(1, one.bytes.size())) return &one;
  return nullptr;
}

uint64_t pointer_in(const std::string& bytes) {
  uint64_t address = 0;
  if (bytes.size() == sizeof address) std::memcpy(&address, bytes.data(), sizeof address);
  return address;
}

/// The arguments as a lesson's would be, for those who put things into words.
std::vector<ArgumentSpec> specs_of(const OpenedLaunch& opened) {
  std::vector<ArgumentSpec> specs;
  for (size_t i = 0; i < opened.captured->arguments.size(); ++i) {
    const std::string& bytes = opened.captured->arguments[i];
    ArgumentSpec spec;
    const bool known = i < opened.parameters.size();
    spec.name = known ? opened.parameters[i].name : std::string();
    spec.kind = ArgumentSpec::Kind::structure;
    const auto element = known ? opened.parameters[i].element : std::nullopt;
    if (known && opened.parameters[i].pointer) {
      const uint64_t address = pointer_in(bytes);
      const CapturedMemory* memory = memory_at(*opened.captured, address);
      spec.kind = memory ? ArgumentSpec::Kind::buffer : ArgumentSpec::Kind::null;
      spec.type = element.value_or(ElementType::u8);
      if (memory) {
        const uint64_t width = element ? bytes_of(*element) : std::max(1u, memory->element_bytes);
        spec.count = (memory->bytes.size() - (address - memory->address)) / width;
      }
    } else {
      if (element && bytes.size() == bytes_of(*element)) {
        spec.kind = ArgumentSpec::Kind::scalar;
        spec.type = *element;
      }
      const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
      spec.bytes.assign(first, first + bytes.size());
    }
    specs.push_back(std::move(spec));
  }
  return specs;
}

void put_into_words(const OpenedLaunch& opened, const std::string& source, const Launch& launch,
                    std::vector<Diagnosis>& diagnostics) {
  const auto choice = choose_kernel(scan_source(source), opened.kernel, opened.file);
  if (!choice) return;
  const SourceStructure structure(source);
  const auto specs = specs_of(opened);
  // Only what stands in this text is told from it.
  std::vector<Diagnosis> here;
  for (Diagnosis& d : diagnostics)
    if (d.file == opened.file) here.push_back(d);
  explain(here, {structure, *choice, launch, specs});
  size_t next = 0;
  for (Diagnosis& d : diagnostics)
    if (d.file == opened.file) d = std::move(here[next++]);
}

/// Files as the learner calls them.
void call_files(const OpenedLaunch& opened, RunReport& report) {
  const auto call = [&](std::string& file) {
    if (file.empty()) return;
    const auto known = opened.order.shown.find(real_name(file));
    if (known != opened.order.shown.end()) file = known->second;
  };
  for (Diagnosis& diagnosis : report.diagnostics) call(diagnosis.file);
  for (LineCounters& line : report.lines) call(line.file);
}

/// What every pointer's memory holds now, from where it points on.
std::vector<Output> outputs_of(const OpenedLaunch& opened, const Laid& laid) {
  std::vector<Output> outputs;
  for (size_t i = 0; i < laid.arguments.size() && i < opened.parameters.size(); ++i) {
    const KernelParameter& parameter = opened.parameters[i];
    if (!parameter.pointer || !parameter.element || parameter.name.empty()) continue;
    const CapturedMemory* memory = memory_at(*opened.captured, pointer_in(opened.captured->arguments[i]));
    if (!memory || laid.arguments[i].bytes.size() != 8) continue;
    uint64_t address = 0;
    std::memcpy(&address, laid.arguments[i].bytes.data(), sizeof address);
    Output output;
    output.name = parameter.name;
    output.type = *parameter.element;
    const uint64_t before = pointer_in(opened.captured->arguments[i]) - memory->address;
    output.count = (memory->bytes.size() - before) / bytes_of(output.type);
    output.data.resize(output.count * bytes_of(output.type));
    if (!laid.device->read(address, output.data)) continue;
    summarise(output);
    outputs.push_back(std::move(output));
  }
  return outputs;
}

/// The PTX of the opened launch's file with this text.
Result<DeviceCode> code_of(Session& session, const OpenedLaunch& opened, DeviceCodeKind kind,
                           const std::string& text, const RunProgress* progress) {
  return program_host(session).builder.device_code(opened.order.build, opened.place, kind,
                                                   text == opened.source ? std::nullopt : std::optional(text),
                                                   progress ? &progress->stop : nullptr);
}

DebugFindings debug_findings(Session& session, const OpenedLaunch& opened, const std::string& source,
                             const std::string& debug_ptx, const Launch& launch, const RunOptions& optimised,
                             uint64_t warp_instructions, bool fixed_order, std::span<const Diagnosis> found,
                             const RunProgress* progress) {
  DebugFindings debug;
  debug.run.of = launch.grid.count();
  auto laid = lay_out(session, opened, debug_ptx);
  if (!laid) {
    debug.run.missing = laid.error().message;
    return debug;
  }
  DebugLook look = debug_look(optimised, launch, warp_instructions, fixed_order, found, debug_time);
  debug.blocks = std::move(look.blocks);
  ProgramLaunch ran =
      laid->device->launch(laid->module, opened.symbol, launch, laid->arguments, look.options, 1, false);
  call_files(opened, ran.report);
  take_debug_report(debug, ran.report, opened.file);
  CompiledCode code;
  code.ptx = debug_ptx;
  const auto compile = [&](const std::string& text) -> std::optional<std::string> {
    auto compiled = code_of(session, opened, DeviceCodeKind::for_debugger, text, progress);
    return compiled ? std::move(compiled->ptx) : std::nullopt;
  };
  name_diagnoses(code, source, compile, debug.diagnostics);
  return debug;
}

}  // namespace

Result<std::shared_ptr<const OpenedLaunch>> open_launch(const CapturedLaunches& captured,
                                                        const ProgramOrder& order, const HostProgram& program,
                                                        uint64_t row) {
  const TapeRow* const found = program.tape.row(row);
  auto opened = std::make_shared<OpenedLaunch>();
  opened->ptx = found ? captured.ptx_of(*found) : nullptr;
  const auto kept = found ? captured.of(*found) : nullptr;
  if (!kept || !opened->ptx)
    return complaint(Trouble::not_found,
                     "What this launch found was not kept: there was too much memory in use.");
  opened->kernel = found->launch->kernel;
  opened->symbol = found->launch->symbol;
  opened->launch = found->launch->launch;
  opened->line = program.place_of(row).place.line;
  opened->order = order;
  std::string bare = opened->kernel.substr(0, opened->kernel.find('<'));
  if (const size_t colon = bare.rfind("::"); colon != std::string::npos) bare = bare.substr(colon + 2);
  const auto defined = program.kernels.find(bare);
  for (size_t i = 0; i < order.sources.size() && i < order.build.files.size(); ++i) {
    if (defined == program.kernels.end() || order.sources[i].file != defined->second.file) continue;
    opened->file = order.sources[i].file;
    opened->source = order.sources[i].text;
    opened->place = order.build.files[i];
  }
  if (opened->file.empty())
    return complaint(Trouble::not_found,
                     fmt::format("The kernel {} stands in none of the program's own files.", opened->kernel));
  if (const auto choice = choose_kernel(scan_source(opened->source), opened->kernel, opened->file))
    opened->parameters = choice->parameters;
  // Memory is called what the kernel calls it, else what the host does.
  auto named = std::make_shared<CapturedLaunch>(*kept);
  named->row = row;
  for (CapturedMemory& one : named->memory) {
    if (const auto number = row_of_allocation(one.name)) one.name = program.name_of(*number);
  }
  for (size_t i = 0; i < named->arguments.size() && i < opened->parameters.size(); ++i) {
    const KernelParameter& parameter = opened->parameters[i];
    if (!parameter.pointer || parameter.name.empty()) continue;
    const CapturedMemory* memory = memory_at(*named, pointer_in(named->arguments[i]));
    if (!memory || !memory->variable.empty()) continue;
    CapturedMemory& one = named->memory[size_t(memory - named->memory.data())];
    one.name = parameter.name;
    if (parameter.element) one.element_bytes = bytes_of(*parameter.element);
  }
  opened->captured = std::move(named);
  return std::shared_ptr<const OpenedLaunch>(std::move(opened));
}

void look_closer(Session& session, const OpenedLaunch& opened, const std::string& debug_ptx,
                 uint64_t warp_instructions, std::vector<Diagnosis>& diagnostics, RunProgress* progress) {
  RunOptions options;
  options.stop = progress ? &progress->stop : nullptr;
  DebugFindings debug = debug_findings(session, opened, opened.source, debug_ptx, opened.launch, options,
                                       warp_instructions, false, diagnostics, progress);
  diagnostics = merge_builds(std::move(diagnostics), std::move(debug), opened.launch.grid);
  put_into_words(opened, opened.source, opened.launch, diagnostics);
}

Result<RunResult> run_opened(Session& session, const OpenedLaunch& opened, const RunRequest& request,
                             RunProgress* progress) {
  const std::lock_guard lock(session.busy);
  const auto enter = [&](int stage) {
    if (progress) progress->stage = stage;
  };
  RunResult result;
  result.engine = session.device->capabilities().engine;
  result.gpu = session.gpu.name;
  result.file = opened.file;
  result.kernel = opened.kernel;
  result.launch = request.launch.value_or(opened.launch);
  result.launch.shared_optin = opened.launch.shared_optin;
  const auto finish = [&] {
    result.diagnostics = merge(std::move(result.diagnostics));
    result.exit_code = exit_code_of(result.status);
    return std::move(result);
  };
  const std::string& source = request.source.empty() ? opened.source : request.source;
  std::string ptx = *opened.ptx;
  enter(1);
  if (source != opened.source) {
    auto code = code_of(session, opened, DeviceCodeKind::optimised, source, progress);
    if (!code) return code.error();
    result.diagnostics = std::move(code->diagnostics);
    result.times.compile_ms = code->build_ms;
    result.times.cached = code->cached;
    if (!code->ptx) {
      result.status = "compile-error";
      return finish();
    }
    ptx = std::move(*code->ptx);
  }
  enter(2);
  auto laid = lay_out(session, opened, ptx);
  if (!laid) {
    result.status = "bad-arguments";
    result.diagnostics.push_back(as_diagnosis(laid.error(), "bad-argument"));
    return finish();
  }
  enter(3);
  const Schedule schedule = request.order == Order::forward ? schedule_numbered(request.seed)
                                                            : Schedule{request.order, request.seed};
  const std::chrono::milliseconds left(int(1000 * std::min(request.max_seconds, most_seconds)));
  const RunOptions options = run_options(request, schedule, left, progress);
  ProgramLaunch ran =
      laid->device->launch(laid->module, opened.symbol, result.launch, laid->arguments, options, 1, false);
  if (ran.report.status == RunStatus::cancelled)
    return complaint(Trouble::cancelled, "the run was cancelled");
  call_files(opened, ran.report);
  result.times.emulator_ms = ran.report.wall_ms;
  take_report(result, ran.report, request.level);
  if (request.level != Level::run) result.trace = ran.trace;
  enter(4);
  result.outputs = outputs_of(opened, *laid);
  const bool faulty = result.status != "ok" && result.status != "launch-error";
  const bool wanted =
      request.debug_build == DebugBuild::always || (request.debug_build == DebugBuild::when_faulty && faulty);
  if (request.level == Level::check && wanted && result.status != "launch-error") {
    const auto code = code_of(session, opened, DeviceCodeKind::for_debugger, source, progress);
    if (code && code->ptx) {
      DebugFindings debug =
          debug_findings(session, opened, source, *code->ptx, result.launch, options,
                         result.warp_instructions, result.fixed_order, result.diagnostics, progress);
      result.debug_run = debug.run;
      result.diagnostics = merge_builds(std::move(result.diagnostics), std::move(debug), result.launch.grid);
      if ((result.status == "ok" || result.status == "limit") && has_errors(result.diagnostics))
        result.status = "fault";
    }
  }
  put_into_words(opened, source, result.launch, result.diagnostics);
  enter(5);
  return finish();
}

}  // namespace warpbook
