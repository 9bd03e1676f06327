// See address_origin.h.
#include "simt/decode/address_origin.h"

#include <algorithm>

namespace warpbook::simt {
namespace {

using Kind = ptx::Operand::Kind;

constexpr int deepest = 32;

bool has_result(const ptx::Instruction& instruction) {
  // In what a debug build is made of, the first operand is the result; these have none.
  static constexpr std::string_view without[] = {"st",   "bra",    "bar",   "ret",     "call", "red", "exit",
                                                 "trap", "membar", "fence", "barrier", "cp",   "brx"};
  return !instruction.operands.empty() &&
         std::find(std::begin(without), std::end(without), instruction.opcode) == std::end(without);
}

template <class Visit>
void each_register(const ptx::Operand& operand, Visit&& visit) {
  if (operand.kind == Kind::reg) visit(operand.index);
  for (const ptx::Operand& part : operand.parts) each_register(part, visit);
}

bool names_depot(const ptx::Operand& operand) {
  return operand.kind == Kind::symbol && operand.name.rfind("__local_depot", 0) == 0;
}

}  // namespace

AddressOrigins::AddressOrigins(const ptx::Function& function)
    : function_(function), writers_(function.registers.size()) {
  for (uint32_t i = 0; i < function.body.size(); ++i) {
    if (!has_result(function.body[i])) continue;
    each_register(function.body[i].operands[0], [&](uint32_t r) { writers_[r].push_back(i); });
  }
}

std::optional<AddressOrigins::Origin> AddressOrigins::of_register(uint32_t register_index, int depth) const {
  if (depth > deepest || writers_[register_index].size() != 1) return std::nullopt;
  const ptx::Instruction& writer = function_.body[writers_[register_index][0]];
  const auto& operands = writer.operands;
  if ((writer.opcode == "mov" || writer.opcode == "cvta") && operands.size() == 2) {
    if (operands[1].kind == Kind::reg) return of_register(operands[1].index, depth + 1);
    if (names_depot(operands[1])) return Origin{operands[1].offset, false};
    return std::nullopt;
  }
  if ((writer.opcode != "add" && writer.opcode != "sub") || operands.size() != 3) return std::nullopt;
  for (size_t side = 1; side <= 2; ++side) {
    const ptx::Operand& base = operands[side];
    const ptx::Operand& other = operands[3 - side];
    if (base.kind != Kind::reg) continue;
    auto from = of_register(base.index, depth + 1);
    if (!from) continue;
    if (other.kind != Kind::immediate) {
      from->indexed = true;
    } else if (!from->indexed) {
      from->constant += writer.opcode == "add" ? int64_t(other.bits) : -int64_t(other.bits);
    }
    return from;
  }
  return std::nullopt;
}

std::optional<AddressOrigins::Origin> AddressOrigins::of_address(const ptx::Operand& address) const {
  if (address.kind != Kind::address || address.parts.size() != 1) return std::nullopt;
  const ptx::Operand& base = address.parts[0];
  if (names_depot(base)) return Origin{base.offset + address.offset, false};
  if (base.kind != Kind::reg) return std::nullopt;
  auto origin = of_register(base.index, 0);
  // What follows an index is a place inside the element.
  if (origin && !origin->indexed) origin->constant += address.offset;
  return origin;
}

}  // namespace warpbook::simt
