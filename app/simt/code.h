#pragma once
// Decoded code: what the interpreter runs. A function's instructions lie in one flat array, cut into basic
// blocks in reverse post-order, so that "lowest block index first" is a sound order for reconvergence.
//
// A warp's registers are a struct of arrays: a 32-bit slot is 32 lanes x 4 bytes (128 bytes), a 64-bit slot
// 256 bytes, a predicate one u32 mask. All live in one frame; operands are byte offsets into it:
//   [ a zero slot at 0 | 32-bit slots | 64-bit slots | predicates | constants, parameters, specials,
//   addresses ]
// 16-bit values live in 32-bit slots (upper half undefined; readers mask). Slots of different width never
// share memory: lanes of two fragments may be in different blocks at once and must not see each other's.
// Constants (immediates, kernel parameters, %ntid, %nctaid) and specials (%tid, %laneid, %ctaid ...) are
// slots filled when a frame is made, so a handler has one kind of operand only.
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <string>
#include <vector>

#include "simt/ptx/module.h"

namespace warpbook::simt {

struct Warp;
struct Inst;

/// What the run loop does after an instruction.
enum class Step : uint32_t {
  next = 0,  ///< go on with the following instruction
  jump,      ///< the terminator chose: warp.current().pc is set (branches, calls, returns, exit)
  wait,  ///< barrier, masked sync, sleep: the fragment's state is set; run this instruction again or go on as
         ///< it says
  fault,  ///< warp.fault is filled; the fragment's block stops
};

using Handler = Step (*)(Warp&, const Inst&);

/// One decoded instruction, a cache line.
struct alignas(64) Inst {
  Handler full = nullptr;                               ///< all 32 lanes active
  Handler masked = nullptr;                             ///< some; writes only lanes of warp.mask
  uint32_t dst = 0, a = 0, b = 0, c = 0, d = 0, e = 0;  ///< frame offsets in bytes; unused ones are 0
  uint64_t imm = 0;    ///< address offset, branch target, shift: the family says
  uint32_t site = 0;   ///< index into Code::sites
  uint32_t guard = 0;  ///< frame offset of the guard predicate, 0 = unguarded
  bool guard_negated = false;
  uint8_t flags = 0;   ///< the family's own
  uint16_t extra = 0;  ///< the family's own
};
static_assert(sizeof(Inst) == 64);

/// Static facts of one instruction, for counters and messages.
struct Site {
  std::string name;    ///< "ld.global.f32"
  int32_t point = -1;  ///< into the module's points
  uint32_t ptx_line = 0;
  uint32_t function = 0;
  bool synthetic = false;  ///< a jump that decode added where a block falls through: never counted or shown
};

struct BasicBlock {
  uint32_t first = 0;    ///< index of its first instruction
  uint32_t count = 0;    ///< instructions, the terminator included
  uint32_t counted = 0;  ///< those of them that the PTX has: `count` without a synthetic jump
};

/// How a frame's constant and special slots are filled.
struct SlotInit {
  /// `local` is a .local or .param variable of the function (a call's arguments and results; parameters of
  /// .func): its state-space address is the activation's local_base + bits. `symbol` is any other variable, a
  /// function, or an entry's parameter whose address is taken.
  enum class Kind : uint8_t { constant, parameter, special, symbol, local };
  Kind kind = Kind::constant;
  bool wide = false;         ///< 64-bit slot
  uint32_t offset = 0;       ///< in the frame
  uint64_t bits = 0;         ///< constant; parameter: byte offset among the parameters; local: see Kind
  uint32_t bytes = 4;        ///< parameter: width read
  bool sign_extend = false;  ///< parameter
  std::string name;          ///< special: "%tid.x"; symbol: variable or function
  int64_t addend = 0;        ///< symbol
};

/// Where a function's own variables lie. Variables of nested scopes that exclude each other, such as the
/// arguments of different calls, share bytes. Offsets in local memory are multiples of 4.
struct VariablePlace {
  std::string name;
  bool among_parameters = false;  ///< an entry's parameter: `offset` counts in the launch's parameter bytes;
                                  ///< else it counts in the activation's local memory
  uint32_t offset = 0, bytes = 0;
  const ptx::Variable* variable = nullptr;
};

struct CodeFunction {
  std::string name;
  uint32_t index = 0;
  const ptx::Function* source = nullptr;
  std::vector<Inst> instructions;
  std::vector<BasicBlock> blocks;
  std::vector<uint32_t> block_of;  ///< instruction index -> block index
  std::vector<SlotInit> inits;
  uint32_t narrow_slots = 0, wide_slots = 0,
           predicate_slots = 0;  ///< of registers, in this order behind the zero slot
  uint32_t frame_bytes = 0;
  /// Registers that may be read before anything writes them begin as zeros: offset and bytes. The others
  /// begin as whatever the frame held.
  std::vector<std::pair<uint32_t, uint32_t>> zeroed;
  uint32_t local_bytes = 0;              ///< .local depot and call parameters, bytes a thread
  uint32_t live_across_calls_bytes = 0;  ///< registers live over calls, for the call-stack rule
  uint32_t depot_bytes = 0;              ///< the part of local_bytes that the PTX declares as .local
  uint32_t parameter_bytes = 0;          ///< an entry's parameters, all together
  bool recursive = false;                ///< can reach itself by calls
  bool blocks_may_communicate =
      false;  ///< this function, or one it can call, holds such an instruction (see Code)
  std::vector<VariablePlace> places;  ///< parameters, returns, then locals; .shared ones are not here
  std::vector<uint32_t>
      source_index;  ///< instruction index -> index in source->body; ~0u for a synthetic jump

  std::vector<uint32_t> register_slots;  ///< by register: frame offset, 0 = it has none

  /// Null when the function has no such variable (or it is .shared).
  const VariablePlace* place(std::string_view variable) const;
};

/// Everything of a module decoded for one level and instruction set.
struct Code {
  std::shared_ptr<const ptx::Module> module;
  std::vector<std::unique_ptr<CodeFunction>> functions;
  std::vector<Site> sites;
  bool blocks_may_communicate = false;      ///< some reachable instruction lets blocks see each other's order
  std::vector<std::shared_ptr<void>> kept;  ///< what Encoder::keep was given
  std::pmr::monotonic_buffer_resource rooms;  ///< what Encoder::room gave
  bool follows_values = false;  ///< debug build at level check: registers know whether they were written, and
                                ///< what local memory holds unwritten is reported when it is used
  const CodeFunction* function(std::string_view name) const;
};

/// Handler of what decode knows no family or form for; defined in simt/exec. Faults as `unsupported`, with
/// the site's name and source line.
Step unsupported_instruction(Warp& warp, const Inst& inst);

}  // namespace warpbook::simt
