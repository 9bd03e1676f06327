#pragma once
// Which registers of a debug build may hold a value that the program never wrote: those that some path reads
// before it writes them, what is loaded from local memory, and copies of both. Few in correct code, so only
// they are followed while the program runs.
#include <cstdint>
#include <span>
#include <vector>

#include "simt/families.h"
#include "simt/ptx/module.h"

namespace warpbook::simt {

struct UnwrittenValues {
  struct OfFunction {
    std::vector<uint8_t> followed;  ///< by register
    std::vector<uint8_t> local;     ///< by register: it may hold an address in local memory
    std::vector<uint8_t> merged;    ///< by register: bits of a word whose others a bit field's store keeps
  };
  std::vector<OfFunction> functions;  ///< as in the module
  bool parameters = false;            ///< arguments or results of calls may be unwritten
  bool local_in_parameters = false;   ///< addresses in local memory are passed to functions
  bool local_in_memory = false;       ///< ... or stored
  bool usable = true;                 ///< false: the module is too large for it

  /// A load whose value may be unwritten memory.
  bool loads_unwritten(const ptx::Function& function, uint32_t index, const ptx::Instruction& load) const;
};

UnwrittenValues unwritten_values(const ptx::Module& module, std::span<const Family> families);

/// The bits of operand `k` that an instruction looks at: those that a mask or a shift by a constant leaves.
uint64_t bits_used(const ptx::Instruction& instruction, size_t k);

/// mov of one register to another of the same width.
bool is_copy(const ptx::Function& function, const ptx::Instruction& instruction);

}  // namespace warpbook::simt
