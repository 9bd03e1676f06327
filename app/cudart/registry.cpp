// See registry.h.
#include "cudart/registry.h"

#include <algorithm>
#include <string_view>

#include "base/complaint.h"
#include "base/text.h"
#include "base/version.h"
#include "cudart/abi.h"

namespace warpbook::cudart {

RegisteredModule& Registry::add_module(const void* wrapper) {
  auto module = std::make_unique<RegisteredModule>();
  module->number = uint32_t(modules_.size());
  const auto* head = static_cast<const FatbinWrapper*>(wrapper);
  if (!head || head->magic != wrapper_magic) {
    module->problem = complaint(Trouble::unsupported, "The program registers device code in an unknown form.",
                                "Build it with nvcc of CUDA 13.");
  } else {
    module->data = head->data;
    module->relocatable = head->version == 2;
  }
  modules_.push_back(std::move(module));
  return *modules_.back();
}

void Registry::add_kernel(RegisteredModule& module, const void* stub, const char* symbol) {
  Kernel kernel;
  kernel.module = module.number;
  kernel.symbol = symbol;
  kernel.name = kernel_name(kernel.symbol);
  kernel.stub = stub;
  kernels_.push_back(std::move(kernel));
  module.kernels.push_back(&kernels_.back());
  by_stub_[stub] = &kernels_.back();
}

void Registry::add_variable(RegisteredModule& module, const void* shadow, const char* symbol, uint64_t bytes,
                            bool constant, void** managed) {
  RegisteredVariable variable;
  variable.module = module.number;
  variable.symbol = symbol;
  variable.name = kernel_name(variable.symbol);
  variable.shadow = shadow;
  variable.bytes = bytes;
  variable.constant = constant;
  variable.managed = managed;
  variables_.push_back(std::move(variable));
  module.variables.push_back(&variables_.back());
  by_shadow_[shadow] = &variables_.back();
  if (managed) by_shadow_[managed] = &variables_.back();
}

Kernel* Registry::kernel(const void* stub_or_handle) {
  const auto found = by_stub_.find(stub_or_handle);
  if (found != by_stub_.end()) return found->second;
  for (Kernel& kernel : kernels_) {
    if (&kernel == stub_or_handle) return &kernel;
  }
  return nullptr;
}

RegisteredVariable* Registry::variable(const void* shadow) {
  const auto found = by_shadow_.find(shadow);
  return found == by_shadow_.end() ? nullptr : found->second;
}

Result<uint32_t> Registry::load(RegisteredModule& module, ProgramDevice& device) {
  if (module.loaded) return *module.loaded;
  if (module.problem) return *module.problem;
  auto number = load_now(module, device);
  if (number) {
    module.loaded = *number;
  } else {
    module.problem = number.error();
  }
  return number;
}

Result<ChosenPtx> Registry::ptx_of(const RegisteredModule& module, const std::string& compute) const {
  if (module.relocatable) {
    return complaint(
        Trouble::unsupported,
        "The program was built with -rdc=true: its device code must be linked, which is not done here.",
        "Build without -rdc=true, each kernel with what it calls in one file.");
  }
  auto bytes = container_bytes(module.data);
  if (!bytes) return bytes.error();
  auto images = read_fatbin({static_cast<const char*>(module.data), *bytes});
  if (!images) return images.error();
  return choose_ptx(*images, version_number(compute));
}

Result<uint32_t> Registry::load_now(RegisteredModule& module, ProgramDevice& device) {
  auto ptx = ptx_of(module, device.gpu().compute);
  if (!ptx) return ptx.error();
  module.ptx_bytes = ptx->text.size();
  module.architecture = ptx->architecture;
  std::vector<std::string> managed;
  for (const RegisteredVariable* variable : module.variables) {
    if (variable->managed) managed.push_back(variable->symbol);
  }
  auto number = device.load(ptx->text, managed);
  if (!number) return number.error();
  for (const ProgramVariable& placed : device.variables(*number)) {
    for (RegisteredVariable* variable : module.variables) {
      if (variable->symbol != placed.name) continue;
      variable->address = placed.address;
      if (variable->managed) *variable->managed = reinterpret_cast<void*>(placed.address);
    }
  }
  return number;
}

bool is_of_a_library(const std::string& symbol) {
  for (const std::string_view space :
       {"_ZN6thrust", "_ZN3cub", "_ZN4cuda", "_ZN33_INTERNAL", "_ZNSt", "_ZN4nv4_"}) {
    if (starts_with(symbol, space)) return true;
  }
  // __device__ objects of the headers get the file's internal name in front.
  return symbol.find("6thrust") != std::string::npos || symbol.find("4cuda3std") != std::string::npos ||
         symbol.find("3cub") != std::string::npos;
}

}  // namespace warpbook::cudart
