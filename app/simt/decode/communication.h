#pragma once
// Whether blocks could learn of each other's progress through an instruction; then their order must be fixed.
#include <cstdint>
#include <span>

#include "simt/ptx/module.h"

namespace warpbook::simt {

/// `result_read` says whether anything reads the instruction's first operand, when that is a register.
bool shows_block_order(const ptx::Instruction& instruction, bool result_read);

}  // namespace warpbook::simt
