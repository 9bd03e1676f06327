#pragma once
// Who can call whom. A call through a pointer reaches every function whose address the module takes.
#include <cstdint>
#include <string_view>
#include <vector>

#include "simt/ptx/module.h"

namespace warpbook::simt {

class CallGraph {
 public:
  explicit CallGraph(const ptx::Module& module);
  /// Functions (indices into Module::functions) that `function` can reach, itself included, in ascending
  /// order.
  std::vector<uint32_t> reachable(uint32_t function) const;
  /// By function: it can come to run again while it runs.
  std::vector<uint8_t> recursive() const;

 private:
  uint32_t nodes() const { return uint32_t(callees_.size()); }
  std::vector<std::vector<uint32_t>>
      callees_;  ///< the last node stands for "any function whose address is taken"
};

/// Calls visit(name) for each symbol in an operand.
template <class Visit>
void visit_symbols(const ptx::Operand& operand, Visit&& visit) {
  if (operand.kind == ptx::Operand::Kind::symbol) visit(std::string_view(operand.name));
  for (const ptx::Operand& part : operand.parts) visit_symbols(part, visit);
}

}  // namespace warpbook::simt
