#pragma once
// Code in a GPU's context: PTX through the driver's compiler, at a lower PTX version or as machine code when
// the driver is older than the PTX.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "device/cuda_context.h"
#include "device/device.h"
#include "device/module_cache.h"
#include "simt/module.h"

namespace warpbook::cuda {

/// The PTX version that a driver's CUDA version knows, times ten (PTX ISA, "Release Notes"); 0 when the CUDA
/// version is older than all that are listed.
int ptx_version_of(int cuda_version);
/// "9.0" in `.version 9.0` as 90; 0 when there is none.
int ptx_version_in(std::string_view ptx);
std::string with_ptx_version(std::string_view ptx, int version);

class LoadedModule {
 public:
  /// `note`, when not empty, says in a sentence that other code than the PTX as compiled runs.
  static Result<std::unique_ptr<LoadedModule>> load(GpuContext& context, ModuleCache& parsed,
                                                    const CompiledCode& code);
  ~LoadedModule();
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;

  struct Kernel {
    Function function = nullptr;
    KernelInfo info;
    bool cooperative = false;  ///< asks for the grid's workspace: cooperative_groups' grid.sync()
  };
  /// By the name in the PTX or the source's own. Errors name the kernels that there are.
  Result<Kernel> kernel(const std::string& name);
  std::vector<KernelInfo> kernels() const { return infos_; }
  const std::string& note() const { return note_; }
  /// The code has `__device__` variables that kernels may change, so launches depend on those before.
  bool keeps_state() const { return keeps_state_; }
  /// What all engines refuse a launch for, in the same words.
  std::optional<Diagnosis> refuse(const std::string& kernel, const Launch& launch,
                                  const GpuRow& limits) const;

 private:
  explicit LoadedModule(GpuContext& context) : context_(context) {}
  Result<std::string> name_in_ptx(const std::string& name) const;
  GpuContext& context_;
  Module module_ = nullptr;
  std::shared_ptr<const simt::Module> parsed_;
  std::vector<KernelInfo> infos_;
  std::vector<std::pair<std::string, std::string>> names_;
  std::string note_;
  bool keeps_state_ = false, uses_grid_workspace_ = false;
};

}  // namespace warpbook::cuda
