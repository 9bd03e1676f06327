#pragma once
// Which registers an instruction reads and writes. Follows from the table's count of written operands: an
// address is never a register that is written, and a vector or pair is written in all its parts.
#include <cstdint>

#include "simt/families.h"
#include "simt/ptx/module.h"

namespace warpbook::simt {

/// Leading operands that are written. `family` may be null: an unknown instruction touches nothing, it only
/// faults.
int written_operands(const ptx::Instruction& instruction, const Family* family);

/// Calls visit(register, is_written) for each register operand in `operand`.
template <class Visit>
void visit_registers(const ptx::Operand& operand, bool written, Visit&& visit) {
  switch (operand.kind) {
    case ptx::Operand::Kind::reg: visit(operand.index, written); break;
    case ptx::Operand::Kind::address:
      for (const ptx::Operand& part : operand.parts) visit_registers(part, false, visit);
      break;
    default:
      for (const ptx::Operand& part : operand.parts) visit_registers(part, written, visit);
      break;
  }
}

/// All registers of an instruction, the guard included; first those read, then those written.
template <class Visit>
void visit_registers(const ptx::Instruction& instruction, const Family* family, Visit&& visit) {
  if (!family) return;
  const int written = written_operands(instruction, family);
  if (instruction.guard >= 0) visit(uint32_t(instruction.guard), false);
  for (size_t i = 0; i < instruction.operands.size(); ++i) {
    visit_registers(instruction.operands[i], int(i) < written, [&](uint32_t index, bool is_written) {
      if (!is_written) visit(index, false);
    });
  }
  for (int i = 0; i < written; ++i) {
    visit_registers(instruction.operands[size_t(i)], true, [&](uint32_t index, bool is_written) {
      if (is_written) visit(index, true);
    });
  }
}

}  // namespace warpbook::simt
