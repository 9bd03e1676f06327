#pragma once
// The steps that every run is made of: text to a loaded kernel, and one launch of it with fresh buffers.
#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lab/bind.h"
#include "lab/run.h"

namespace warpbook {

/// Text that was compiled, with the kernel that is meant found in it.
struct LoadedKernel {
  CompiledCode code;
  KernelChoice choice;
  std::string ptx_name;
  KernelInfo info;
  double load_ms = 0;
};

struct CompileStep {
  std::optional<LoadedKernel> kernel;  ///< absent when the source does not compile or has no such kernel
  std::string status;                  ///< "ok", "compile-error" or "bad-arguments"
  std::vector<Diagnosis> diagnostics;
  Times times;
};

struct CompileOrder {
  std::string source, file, kernel;
  std::vector<std::pair<std::string, std::string>> defines;
  Device* device = nullptr;   ///< whose architecture is compiled for, and who loads; null = the session's
  bool machine_code = false;  ///< for a driver that is older than the compiler's PTX
};

/// Compiles, loads and finds the kernel. Errors are trouble outside the source.
Result<CompileStep> compile_kernel(Session& session, const CompileOrder& order, RunProgress* progress);

struct LaunchStep {
  RunReport report;
  Times times;
  std::vector<Output> outputs;
  std::vector<std::pair<std::string, DeviceAddress>> buffers;  ///< until the device's next reset
};

/// Fresh module variables and buffers, `repeat` launches on them, outputs copied out. Arguments were checked
/// before.
Result<LaunchStep> execute(Session& session, const LoadedKernel& kernel, const Launch& launch,
                           std::span<const ArgumentSpec> arguments, const RunOptions& options, int repeat,
                           RunProgress* progress);

/// The same on any engine; an engine that is no emulator is measured afterwards, when `measure` says how, and
/// gives no outputs when the launch failed. Without `copy_out` the outputs stay on the device.
Result<LaunchStep> execute_on(Device& device, const GpuRow& gpu, const LoadedKernel& kernel,
                              const Launch& launch, std::span<const ArgumentSpec> arguments,
                              const RunOptions& options, int repeat, const MeasureRequest* measure,
                              RunProgress* progress, bool copy_out = true);

/// Sizes, extremes and checksum of an output whose data is filled.
void summarise(Output& output);

/// A diagnosis that stands for an error of set-up, for results that report both in one list.
Diagnosis as_diagnosis(const Error& error, std::string kind);

/// What a launch left, into the result; outputs, times and trace are not the report's.
void take_report(RunResult& result, RunReport& report, Level level);

/// ok fault launch-error limit unsupported, as DESIGN section 3 names them; an error among the diagnoses is a
/// fault.
std::string status_of(const RunReport& report);
int exit_code_of(std::string_view status);

/// The parts that an engine measures of a run; compiling, and the emulator's own time, stay as they are.
void take_engine_times(Times& into, const Times& from);

}  // namespace warpbook
