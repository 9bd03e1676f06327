#pragma once
// The instruction table. An instruction family is one row here, one file in simt/ops (its handlers) and one
// test file. A row's `decode` picks handlers for one parsed instruction and fills operands through the
// Encoder.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

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
  /// Frame offset of a constant with these bits.
  virtual uint32_t constant(uint64_t bits, ptx::Type type) = 0;
  /// Frame offset of a register that is written; a scratch slot of the right width for `_`.
  virtual uint32_t target(const ptx::Operand& operand, ptx::Type type) = 0;
  /// Frame offset of a predicate's u32 mask, to read (immediates 0 and 1 are allowed) or to write. The carry
  /// flag of add.cc and the like is a special operand named "%cc", here only.
  virtual uint32_t source_predicate(const ptx::Operand& operand) = 0;
  virtual uint32_t target_predicate(const ptx::Operand& operand) = 0;
  /// Index of the basic block that a label starts.
  virtual uint32_t block_of_label(const ptx::Operand& label) = 0;
  /// The same for an instruction of the function that a label stands before.
  virtual uint32_t block_at(uint32_t instruction) = 0;
  /// Block that follows this instruction in program order.
  virtual uint32_t next_block() = 0;
  /// Keeps data as long as the code lives, for families that need more than an Inst holds: the Inst points to
  /// it.
  virtual void keep(std::shared_ptr<void> data) = 0;
  /// The same as bare bytes, aligned to 64: for plain structs. Decode functions are compiled with an
  /// instruction set that not every machine has, so they instantiate nothing of the library that others
  /// share.
  virtual void* room(size_t bytes) = 0;
};

/// A plain struct that lives as long as the code.
template <class T>
T* make_kept(Encoder& encoder) {
  static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= 64);
  return new (encoder.room(sizeof(T))) T();
}

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
