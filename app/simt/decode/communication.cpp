// See communication.h. Atomics whose result nobody reads and whose order cannot show (integer sums, minima,
// bit sets) do not count: histograms and counters are the common case and may run on all cores.
#include "simt/decode/communication.h"

#include <algorithm>
#include <string_view>

#include "simt/decode/call_graph.h"

namespace warpbook::simt {
namespace {

/// Global memory, or a generic address that may be.
bool may_be_global(const ptx::Instruction& instruction) {
  return !instruction.has("shared") && !instruction.has("shared::cta") && !instruction.has("local") &&
         !instruction.has("param") && !instruction.has("const");
}

/// One heap for all blocks: which addresses malloc gives depends on who came first.
bool uses_heap(const ptx::Instruction& instruction) {
  bool found = false;
  for (const ptx::Operand& operand : instruction.operands) {
    visit_symbols(operand, [&](std::string_view name) { found |= name == "malloc" || name == "free"; });
  }
  return found;
}

bool order_is_hidden(const ptx::Instruction& instruction) {
  static constexpr std::string_view commutative[] = {"add", "min", "max", "and", "or", "xor"};
  const bool known = std::any_of(std::begin(commutative), std::end(commutative),
                                 [&](std::string_view name) { return instruction.has(name); });
  return known && !ptx::is_float(instruction.type());
}

}  // namespace

bool shows_block_order(const ptx::Instruction& instruction, bool result_read) {
  const std::string& o = instruction.opcode;
  if (o == "call") return uses_heap(instruction);
  if (o == "atom") return may_be_global(instruction) && (result_read || !order_is_hidden(instruction));
  if (o == "red") return may_be_global(instruction) && !order_is_hidden(instruction);
  if (o == "ld") {
    return may_be_global(instruction) && (instruction.has("volatile") || instruction.has("relaxed") ||
                                          instruction.has("acquire") || instruction.has("mmio"));
  }
  if (o == "st") {
    return may_be_global(instruction) && (instruction.has("volatile") || instruction.has("relaxed") ||
                                          instruction.has("release") || instruction.has("mmio"));
  }
  return false;
}

}  // namespace warpbook::simt
