#pragma once
// What the program's object files registered before main: modules, kernels by the address of their host
// stubs, variables by the address of their host shadows. PTX is parsed when something of it is first needed.
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "cudart/fatbin.h"
#include "cudart/kernel_names.h"
#include "device/program_device.h"

namespace warpbook::cudart {

/// One kernel of one object file. Its address is the cudaKernel_t that programs hold.
struct Kernel {
  uint32_t module = 0;
  std::string symbol, name;
  const void* stub = nullptr;
  std::vector<ParameterType> types;
  uint64_t launches = 0;
  int most_dynamic_shared = -1;  ///< cudaFuncSetAttribute; -1 = not set
  int carveout = -1;
};

struct RegisteredVariable {
  uint32_t module = 0;
  std::string symbol, name;
  const void* shadow = nullptr;
  uint64_t bytes = 0;
  bool constant = false;
  void** managed = nullptr;   ///< where its address goes
  DeviceAddress address = 0;  ///< 0 = not placed yet
};

/// A fatbin as it was registered. Its address is the handle that programs hold.
struct RegisteredModule {
  uint32_t number = 0;
  const void* data = nullptr;
  bool relocatable = false;        ///< -rdc=true: device code that must still be linked
  std::optional<uint32_t> loaded;  ///< number in the device
  std::optional<Error> problem;
  uint64_t ptx_bytes = 0;
  int architecture = 0;
  std::vector<Kernel*> kernels;
  std::vector<RegisteredVariable*> variables;
};

class Registry {
 public:
  RegisteredModule& add_module(const void* wrapper);
  void add_kernel(RegisteredModule& module, const void* stub, const char* symbol);
  void add_variable(RegisteredModule& module, const void* shadow, const char* symbol, uint64_t bytes,
                    bool constant, void** managed);

  /// By stub or by handle; null when it is neither.
  Kernel* kernel(const void* stub_or_handle);
  RegisteredVariable* variable(const void* shadow);
  RegisteredModule& module(uint32_t number) { return *modules_[number]; }
  const std::vector<std::unique_ptr<RegisteredModule>>& modules() const { return modules_; }

  /// Chooses the module's PTX for the device's GPU, parses it and places its variables; once.
  Result<uint32_t> load(RegisteredModule& module, ProgramDevice& device);
  /// The text that suits a GPU of this compute capability best.
  Result<ChosenPtx> ptx_of(const RegisteredModule& module, const std::string& compute) const;

 private:
  Result<uint32_t> load_now(RegisteredModule& module, ProgramDevice& device);
  std::vector<std::unique_ptr<RegisteredModule>> modules_;
  std::list<Kernel> kernels_;
  std::list<RegisteredVariable> variables_;
  std::unordered_map<const void*, Kernel*> by_stub_;
  std::unordered_map<const void*, RegisteredVariable*> by_shadow_;
};

/// A variable that the C++ headers of the toolkit register, which a learner never wrote.
bool is_of_a_library(const std::string& symbol);

}  // namespace warpbook::cudart
