// Placing a module's variables: allocate, initial values, relocations (PTX ISA 5.4.4 "Initializers").
#include "simt/access/instance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "simt/access/allocation.h"

namespace warpbook::simt {

uint32_t element_bytes_of(const ptx::Variable& variable) {
  const uint32_t declared = uint32_t(ptx::bits_of(variable.type) / 8);
  if (declared > 1) return declared;
  const uint32_t alignment = variable.alignment ? variable.alignment : 1;
  return alignment <= 16 && variable.bytes % alignment == 0 ? alignment : 1;
}

Instance::~Instance() {
  for (const auto& [name, address] : variables_) {
    (void)memory_.free(address);  // nobody else frees a variable: it cannot fail
  }
}

std::optional<Address> Instance::variable(std::string_view name) const {
  const auto found = variables_.find(name);
  if (found == variables_.end()) return std::nullopt;
  return found->second;
}

std::optional<uint32_t> Instance::function_at(Address address) const {
  if (address < function_window || (address - function_window) % 16 != 0) return std::nullopt;
  const uint64_t index = (address - function_window) / 16;
  if (index >= module_->parsed().functions.size()) return std::nullopt;
  return uint32_t(index);
}

std::optional<Address> Instance::function(std::string_view name) const {
  const auto& functions = module_->parsed().functions;
  for (size_t i = 0; i < functions.size(); ++i) {
    if (functions[i].name == name) return function_address(uint32_t(i));
  }
  return std::nullopt;
}

namespace {

bool asks_for_grid_workspace(const ptx::Module& module) {
  for (const ptx::Function& function : module.functions) {
    for (const ptx::Instruction& instruction : function.body) {
      for (const ptx::Operand& operand : instruction.operands) {
        if (operand.kind == ptx::Operand::Kind::special && operand.name.starts_with("%envreg")) return true;
      }
    }
  }
  return false;
}

}  // namespace

Result<std::shared_ptr<Instance>> instantiate(std::shared_ptr<const Module> module, Memory& memory,
                                              std::span<const std::string> visible) {
  auto instance = std::make_shared<Instance>(std::move(module), memory);
  const auto& variables = instance->module().parsed().variables;
  for (const ptx::Variable& v : variables) {
    if (v.space != ptx::Space::global && v.space != ptx::Space::constant) continue;
    const std::string& name = v.display.empty() ? v.name : v.display;
    const bool shared = std::find(visible.begin(), visible.end(), v.name) != visible.end();
    auto address = shared ? memory.allocate_visible(v.bytes, name, element_bytes_of(v))
                          : memory.allocate(v.bytes, name, element_bytes_of(v));
    if (!address) return address.error();
    instance->variables_.emplace(v.name, *address);
    memory.state().window_of(*address)->info.read_only = v.space == ptx::Space::constant;
  }
  if (asks_for_grid_workspace(instance->module().parsed())) {
    auto address = memory.allocate(grid_workspace_bytes, "grid barrier", 4);
    if (!address) return address.error();
    instance->variables_.emplace(grid_workspace, *address);
  }
  // All have addresses now, so initial values may name any of them.
  for (const ptx::Variable& v : variables) {
    const auto own = instance->variable(v.name);
    if (!own) continue;
    std::vector<std::byte> value(v.bytes,
                                 std::byte{0});  // not initialised means zero, as C++ says of statics
    if (!v.initial.empty())
      std::memcpy(value.data(), v.initial.data(), std::min<size_t>(v.initial.size(), v.bytes));
    for (const auto& r : v.relocations) {
      std::optional<Address> target = instance->variable(r.symbol);
      if (!target) target = instance->function(r.symbol);
      if (!target || r.at + r.bytes > value.size() || r.bytes > 8) {
        Error error;
        error.message =
            fmt::format("The initial value of {} names {}, which has no address.", v.display, r.symbol);
        error.trouble = Trouble::unsupported;
        return error;
      }
      const uint64_t bits = *target + uint64_t(r.addend);
      std::memcpy(value.data() + r.at, &bits, r.bytes);
    }
    if (auto done = memory.write(*own, value); !done) return done.error();
  }
  return instance;
}

}  // namespace warpbook::simt
