#include "lab/gpu_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "base/text.h"
#include "base/version.h"
#include "device/cuda_device.h"
#include "lab/schedules.h"

namespace warpbook {

namespace {

/// PTX runs on every GPU at least as new as its target; for an older one the source is compiled again.
bool runs_on(const LoadedKernel& kernel, const Capabilities& gpu, const std::string& compiled_for) {
  // `sm_90a` and its like run on that architecture alone (PTX ISA, ".target").
  const size_t target = kernel.code.ptx.find(".target sm_");
  const size_t end = kernel.code.ptx.find_first_of(", \n", target + 8);
  const bool specific = target != std::string::npos && end != std::string::npos &&
                        (kernel.code.ptx[end - 1] == 'a' || kernel.code.ptx[end - 1] == 'f');
  return !specific && version_number(gpu.compute) >= version_number(compiled_for);
}

/// Approximate functions have bounds for bits, and float atomics add in the order of arrival (PTX ISA,
/// "Floating Point Instructions" and atom).
bool promises_bits(const std::string& ptx) {
  for (const char* loose : {".approx", "div.full", "mma.", "atom.global.add.f", "atom.add.f",
                            "red.global.add.f", "red.add.f", "atom.shared.add.f", "red.shared.add.f"})
    if (ptx.find(loose) != std::string::npos) return false;
  return true;
}

bool is_floating(ElementType type) {
  return type == ElementType::f16 || type == ElementType::bf16 || type == ElementType::f32 ||
         type == ElementType::f64;
}

double largest_error(const std::vector<Output>& first, const std::vector<Output>& other) {
  double largest = 0;
  for (size_t i = 0; i < first.size(); ++i) {
    const Output &a = first[i], &b = other[i];
    for (uint64_t k = 0; k < a.count; ++k) {
      const double x = element_as_double(a.type, a.data.data(), k),
                   y = element_as_double(b.type, b.data.data(), k);
      if (x == y || (std::isnan(x) && std::isnan(y))) continue;
      const double error = std::fabs(x - y) / std::max(1.0, std::fabs(x));
      largest = std::max(largest, is_floating(a.type) && error == error ? error : HUGE_VAL);
    }
  }
  return largest;
}

std::string difference_in_words(const Difference& d) {
  return fmt::format("{}[{}] is {} on the GPU and {} on the emulator", d.buffer, d.index, d.other, d.first);
}

}  // namespace

bool has_gpu(const Session& session) { return session.gpu_device != nullptr; }

bool prints(const LoadedKernel& kernel) { return kernel.code.ptx.find("vprintf") != std::string::npos; }

bool is_ours(const RunRequest& request) {
  return !request.ours.empty() && request.ours == content_hash(request.source);
}

Result<Done> run_on_gpu(Session& session, const RunRequest& request, const LoadedKernel& kernel,
                        std::span<const ArgumentSpec> arguments, const RunOptions& options, RunResult& result,
                        RunProgress* progress) {
  GpuRun gpu;
  gpu.own_process = !is_ours(request) || prints(kernel);
  const GpuUse use(session);
  gpu.use = use.number;
  Device& device = gpu.own_process ? *session.gpu_child : *session.gpu_device;
  gpu.device = device.capabilities().engine;

  const LoadedKernel* meant = &kernel;
  std::optional<LoadedKernel> compiled;
  const bool runs = runs_on(kernel, device.capabilities(), session.device->capabilities().compute);
  const bool newer = newer_than_driver(kernel.code.ptx, device.capabilities());
  if (!runs || newer) {
    CompileOrder order{request.source, request.file, kernel.choice.name, request.defines, &device, newer};
    auto step = compile_kernel(session, order, progress);
    if (!step) return step.error();
    if (!step->kernel) {
      gpu.note = fmt::format("The code does not compile for compute {}, which this GPU has.",
                             device.capabilities().compute);
      gpu.device.clear();
      result.on_gpu = std::move(gpu);
      return Done{};
    }
    compiled = std::move(step->kernel);
    meant = &*compiled;
    if (!newer)
      gpu.note = fmt::format("Compiled for compute {}, which this GPU has.", device.capabilities().compute);
  }

  auto step = execute_on(device, session.gpu, *meant, result.launch, arguments, options, request.repeat,
                         request.live ? nullptr : &request.measure, progress, !request.live);
  if (!step) return step.error();
  gpu.status = status_of(step->report);
  gpu.times = step->times;
  for (const std::string& more :
       {step->times.load_note, step->times.measured ? step->times.measured->note : std::string()}) {
    if (more.empty()) continue;
    if (!gpu.note.empty()) gpu.note += ' ';
    gpu.note += more;
  }
  for (Diagnosis& d : step->report.diagnostics) {
    d.file = request.file;
    d.line = kernel.choice.source.line;
    result.diagnostics.push_back(std::move(d));
  }
  if (gpu.status == "ok") {
    for (Output& output : step->outputs) summarise(output);
    gpu.compared = !request.live && !result.outputs.empty() && result.outputs.size() == step->outputs.size();
    gpu.bits_promised = promises_bits(meant->code.ptx);
    if (gpu.compared) {
      if (const auto difference = first_difference(result.outputs, step->outputs)) {
        gpu.difference = difference_in_words(*difference);
        gpu.largest_error = largest_error(result.outputs, step->outputs);
      }
    }
    result.outputs = std::move(step->outputs);
    if (!step->report.printf.empty()) result.printf = std::move(step->report.printf);
    gpu.buffers = std::move(step->buffers);
  }
  result.engine = gpu.device;
  result.status = gpu.status;
  // Load and copies are the GPU's; compiling was for both.
  take_engine_times(result.times, gpu.times);
  result.on_gpu = std::move(gpu);
  return Done{};
}

}  // namespace warpbook
