#pragma once
// Arguments against parameters: the right number, pointers where pointers go, and element types that agree.
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/device.h"
#include "lab/arguments.h"
#include "lab/source_scan.h"
#include "result/diagnosis.h"

namespace warpbook {

/// The kernel that is meant: by name (source name, qualified or not, with template arguments), or the only
/// one.
struct KernelChoice {
  std::string name;        ///< as results show it
  std::string expression;  ///< what NVRTC is asked to name; empty for extern "C" kernels
  KernelSource source;
  std::vector<KernelParameter> parameters;  ///< template arguments put in
};
Result<KernelChoice> choose_kernel(const SourceScan& scan, const std::string& wanted,
                                   const std::string& file);

/// bad-argument errors and arg-type-mismatch warnings, in the order of the parameters. `info` is the compiled
/// kernel.
std::vector<Diagnosis> check_arguments(const KernelChoice& kernel, const KernelInfo& info,
                                       std::span<const ArgumentSpec> arguments, const std::string& file);

}  // namespace warpbook
