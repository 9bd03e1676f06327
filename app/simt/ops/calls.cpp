// call (PTX ISA 9.7.12.5): direct, and through a pointer.
#include "simt/exec/calls.h"

#include "simt/ops/all_families.h"
#include "simt/ops/handlers.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

/// Inst::e is the basic block that follows.
Step call(Warp& warp, const Inst& inst) {
  uint32_t calling = warp.fragment_mask;
  if (inst.guard != 0) {
    const uint32_t bits = load_predicate(warp, inst.guard);
    calling &= inst.guard_negated ? ~bits : bits;
  }
  return call_function(warp, inst, calling, inst.e);
}

std::vector<std::string> names_of(const ptx::Operand& operand) {
  std::vector<std::string> names;
  if (operand.kind == ptx::Operand::Kind::list) {
    for (const ptx::Operand& part : operand.parts) names.push_back(part.name);
  } else {
    names.push_back(operand.name);
  }
  return names;
}

}  // namespace

bool decode_call(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  // call (results), target, (arguments), prototype; lists may be missing.
  using Kind = ptx::Operand::Kind;
  auto info = std::make_shared<CallInfo>();
  const auto& operands = source.operands;
  size_t at = 0;
  if (at < operands.size() && operands[at].kind == Kind::list) info->results = names_of(operands[at++]);
  if (at >= operands.size()) return false;
  const ptx::Operand& target = operands[at++];
  if (target.kind == Kind::reg) {
    inst.a = encoder.source(target, ptx::Type::u64);
  } else if (!target.name.empty()) {
    info->callee = target.name;
  } else {
    return false;
  }
  if (at < operands.size() && operands[at].kind == Kind::list) info->arguments = names_of(operands[at++]);
  inst.imm = reinterpret_cast<uint64_t>(info.get());
  inst.e = encoder.next_block();
  encoder.add_extra(std::move(info));
  use_both(inst, &call);
  return true;
}

}  // namespace warpbook::simt::WARPBOOK_ISA
