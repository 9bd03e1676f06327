#pragma once
// The instruction table. An instruction family is one row here, one file in simt/ops (its handlers) and one
// test file. A row's `decode` picks handlers for one parsed instruction and fills operands through the
// Encoder.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "simt/code.h"
#include "simt/emulator.h"
#include "simt/ptx/module.h"

namespace warpbook::simt {

/// What decode functions use to turn parsed operands into frame offsets.
class Encoder {
 public:
  virtual ~Encoder() = default;
  virtual Level level() const = 0;
  virtual const ptx::Module& module() const = 0;
  virtual const ptx::Function& function() const = 0;
  /// Frame offset of a source: register, immediate (converted to `type`: decimal and 0d literals become f32
  /// bits for f32), special register or symbol address. 16-bit and narrower types use 32-bit slots. A negated
  /// register source is not handled here.
  virtual uint32_t source(const ptx::Operand& operand, ptx::Type type) = 0;
  /// Frame offset of a register that is written; a scratch slot of the right width for `_`.
  virtual uint32_t target(const ptx::Operand& operand, ptx::Type type) = 0;
  /// Frame offset of a predicate's u32 mask, to read (immediates 0 and 1 are allowed) or to write. The carry
  /// flag of add.cc and the like is a special operand named "%cc", here only.
  virtual uint32_t source_predicate(const ptx::Operand& operand) = 0;
  virtual uint32_t target_predicate(const ptx::Operand& operand) = 0;
  /// Index of the basic block that a label starts.
  virtual uint32_t block_of_label(const ptx::Operand& label) = 0;
  /// Block that follows this instruction in program order.
  virtual uint32_t next_block() = 0;
  /// Storage that lives as long as the code, for families that need more than an Inst holds. Returns its
  /// index; get the pointer with extra().
  virtual uint16_t add_extra(std::shared_ptr<void> data) = 0;
};

/// Fills `inst` (handlers, operands, imm); false when this form is not known: the instruction then fails as
/// `unsupported` when it is reached. Guards, site and counters are the caller's.
using Decode = bool (*)(const ptx::Instruction& source, Encoder& encoder, Inst& inst);

struct Family {
  std::string_view opcode;  ///< "add"
  Decode decode;
  uint8_t targets;        ///< how many leading operands are written (0: st, bra, bar; 1: most)
  bool terminator;        ///< ends a basic block: bra, brx, ret, exit, call, trap
  std::string_view note;  ///< what is covered, for the coverage page
};

/// The table of one instruction set; each simt/ops build has its own. Sorted by opcode.
namespace isa_plain {
std::span<const Family> families();
}
namespace isa_avx2 {
std::span<const Family> families();
}
/// Picked once by cpuid ("avx2" or "plain"; WARPBOOK_ISA=plain in the environment forces the latter).
std::span<const Family> families_for_this_machine();
std::string_view instruction_set_name();

}  // namespace warpbook::simt
