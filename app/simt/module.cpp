// Loading a module, and what can be asked of one before it runs.
#include "simt/module.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "simt/decode/call_graph.h"

namespace warpbook::simt {
namespace {

/// Shared arrays that a kernel or a function it can call names, each at its alignment in order of
/// declaration.
uint32_t static_shared_bytes(const ptx::Module& module, const std::vector<uint32_t>& functions) {
  std::unordered_set<std::string_view> named;
  for (const uint32_t f : functions) {
    for (const ptx::Instruction& instruction : module.functions[f].body) {
      for (const ptx::Operand& operand : instruction.operands) {
        visit_symbols(operand, [&](std::string_view name) { named.insert(name); });
      }
    }
  }
  uint64_t end = 0;
  auto add = [&](const ptx::Variable& v) {
    if (v.space != ptx::Space::shared || v.external || !named.contains(v.name)) return;
    const uint64_t alignment = std::max<uint32_t>(v.alignment, 1);
    end = (end + alignment - 1) / alignment * alignment + v.bytes;
  };
  for (const ptx::Variable& v : module.variables) add(v);
  for (const uint32_t f : functions) {
    for (const ptx::Variable& v : module.functions[f].locals) add(v);
  }
  return uint32_t(std::min<uint64_t>(end, UINT32_MAX));
}

bool may_be_pointer(const ptx::Variable& v) {
  const bool integer = v.type == ptx::Type::u64 || v.type == ptx::Type::s64 || v.type == ptx::Type::b64;
  return v.pointer || (integer && v.bytes == 8);
}

}  // namespace

std::shared_ptr<const Code> Module::code(Level level) const {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const Code>& kept = codes_[level];
  if (!kept) kept = decode(parsed_, level, objects_);
  return kept;
}

Result<std::shared_ptr<const Module>> load_module(std::string_view ptx) { return load_module(ptx, {}); }

Result<std::shared_ptr<const Module>> load_module(std::string_view ptx, LocalObjects objects) {
  auto parsed = ptx::parse(ptx);
  if (!parsed) return parsed.error();
  return std::shared_ptr<const Module>(std::make_shared<Module>(
      std::make_shared<const ptx::Module>(std::move(parsed).value()), std::move(objects)));
}

std::vector<KernelInfo> kernels_of(const Module& module) {
  const ptx::Module& parsed = module.parsed();
  const CallGraph calls(parsed);
  std::vector<KernelInfo> kernels;
  for (uint32_t f = 0; f < parsed.functions.size(); ++f) {
    const ptx::Function& function = parsed.functions[f];
    if (!function.entry || function.declared_only) continue;
    KernelInfo& kernel = kernels.emplace_back();
    kernel.name = function.name;
    for (const ptx::Variable& v : function.parameters) {
      kernel.parameters.push_back({uint32_t(v.bytes), v.alignment, may_be_pointer(v)});
    }
    kernel.static_shared_bytes = static_shared_bytes(parsed, calls.reachable(f));
  }
  return kernels;
}

}  // namespace warpbook::simt
