#pragma once
// A module placed in a memory: its `__device__` and `__constant__` variables have windows of their own, like
// buffers.
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "simt/access/access.h"
#include "simt/module.h"

namespace warpbook {
struct KernelTrace;  // result/kernel_trace.h
}

namespace warpbook::simt {

class Instance {
 public:
  Instance(std::shared_ptr<const Module> module, Memory& memory)
      : module_(std::move(module)), memory_(memory) {}
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  const Module& module() const { return *module_; }
  std::shared_ptr<const Module> shared_module() const { return module_; }
  Memory& memory() const { return memory_; }
  /// Address of a global or constant variable by its PTX name.
  std::optional<Address> variable(std::string_view name) const;
  /// Index in ptx::Module::functions of the function that has this address.
  std::optional<uint32_t> function_at(Address address) const;
  /// Address of a function by its PTX name.
  std::optional<Address> function(std::string_view name) const;

  std::shared_ptr<const KernelTrace> trace;  ///< of the last launch, see simt/trace.h

 private:
  friend Result<std::shared_ptr<Instance>> instantiate(std::shared_ptr<const Module> module, Memory& memory,
                                                       std::span<const std::string> visible);
  std::shared_ptr<const Module> module_;
  Memory& memory_;
  std::map<std::string, Address, std::less<>> variables_;
};

/// Size of one element of a variable as a learner counts it. PTX declares arrays as bytes; their alignment is
/// then the element's (float 4, double 8, float4 16) unless the source says otherwise.
uint32_t element_bytes_of(const ptx::Variable& variable);

/// The variable that an instance has when its code asks where a cooperative grid meets (%envreg1, %envreg2):
/// two words, the second of which the blocks count in. Zero when a launch begins.
inline constexpr std::string_view grid_workspace = "%grid_workspace";
inline constexpr uint32_t grid_workspace_bytes = 64;

}  // namespace warpbook::simt
