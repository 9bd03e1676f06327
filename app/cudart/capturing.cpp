// See capturing.h. What a launch finds must be kept before anybody knows whether it is worth it. That copy
// may take a small part of what the launches themselves take, counted in bytes and instructions and never in
// time, so that the same program keeps the same everywhere.
#include "cudart/capturing.h"

#include <algorithm>

namespace warpbook::cudart {
namespace {

constexpr uint64_t most_of_one = 32u << 20;  // fits a record of the tape
constexpr uint64_t always = 256u << 20;
/// A warp instruction at level check takes about as long as copying so many bytes.
constexpr uint64_t bytes_an_instruction = 100;
/// After the first fault the device stands still; others are warnings.
constexpr int most_faults = 4;

}  // namespace

uint64_t Capturing::most(bool recording, Level level) const {
  const bool for_faults = level == Level::check && faults_ < most_faults;
  if (!recording || (!for_faults && left_ == 0)) return 0;
  const uint64_t allowed = always + warp_instructions_ * bytes_an_instruction;
  return allowed > looked_at_ ? std::min(most_of_one, allowed - looked_at_) : 0;
}

void Capturing::take(TapeWriter& tape, Registry& registry, const Kernel& kernel, const std::string& compute,
                     uint64_t row, std::vector<KernelArgument> arguments, ProgramLaunch& result) {
  warp_instructions_ += result.report.warp_instructions;
  if (!result.found) return;
  CapturedLaunch captured;
  captured.row = row;
  captured.memory = std::move(*result.found);
  const uint64_t bytes = captured.bytes();
  looked_at_ += bytes;
  const auto& diagnoses = result.report.diagnostics;
  const bool fault = result.report.status != RunStatus::launch_error && faults_ < most_faults &&
                     std::any_of(diagnoses.begin(), diagnoses.end(),
                                 [](const Diagnosis& d) { return d.severity != Severity::note; });
  if (fault)
    ++faults_;
  else if (bytes > left_)
    return;
  else
    left_ -= bytes;
  if (modules_.insert(kernel.module).second) {
    const auto ptx = registry.ptx_of(registry.module(kernel.module), compute);
    if (!ptx) return;  // it was loaded, so it is there
    tape.write_ptx(kernel.module, ptx->text);
  }
  for (KernelArgument& argument : arguments)
    captured.arguments.emplace_back(reinterpret_cast<const char*>(argument.bytes.data()),
                                    argument.bytes.size());
  tape.write_captured(captured);
}

}  // namespace warpbook::cudart
