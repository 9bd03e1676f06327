// See register_use.h.
#include "simt/decode/register_use.h"

#include <algorithm>

namespace warpbook::simt {

int written_operands(const ptx::Instruction& instruction, const Family* family) {
  if (!family) return 0;
  int written = family->targets;
  // Two families write in some forms only.
  if (instruction.opcode == "call") {
    const bool has_results =
        !instruction.operands.empty() && instruction.operands.front().kind == ptx::Operand::Kind::list;
    written = has_results ? 1 : 0;
  } else if ((instruction.opcode == "bar" || instruction.opcode == "barrier") && instruction.has("red")) {
    written = 1;
  }
  return std::min(written, int(instruction.operands.size()));
}

}  // namespace warpbook::simt
