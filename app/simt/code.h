#pragma once
// Decoded code: what the interpreter runs. A function's instructions lie in one flat array, cut into basic blocks in
// reverse post-order, so that "lowest block index first" is a sound order for reconvergence.
//
// A warp's registers are a struct of arrays: a 32-bit slot is 32 lanes x 4 bytes (128 bytes), a 64-bit slot 256 bytes,
// a predicate one u32 mask. All live in one frame; operands are byte offsets into it:
//   [ constants | specials | 32-bit slots | 64-bit slots | predicates ]
// 16-bit values live in 32-bit slots (upper half undefined; readers mask). Slots of different width never share
// memory: lanes of two fragments may be in different blocks at once and must not see each other's.
// Constants (immediates, kernel parameters, %ntid, %nctaid) and specials (%tid, %laneid, %ctaid ...) are slots filled when a
// frame is made, so a handler has one kind of operand only.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "simt/ptx/module.h"

namespace warpbook::simt {

struct Warp;
struct Inst;

/// What the run loop does after an instruction.
enum class Step : uint32_t {
  next = 0,   ///< go on with the following instruction
  jump,       ///< the terminator chose: warp.current().pc is set (branches, calls, returns, exit)
  wait,       ///< barrier, masked sync, sleep: the fragment's state is set; run this instruction again or go on as it says
  fault,      ///< warp.fault is filled; the fragment's block stops
};

using Handler = Step (*)(Warp&, const Inst&);

/// One decoded instruction, a cache line.
struct alignas(64) Inst {
  Handler full = nullptr;     ///< all 32 lanes active
  Handler masked = nullptr;   ///< some; writes only lanes of warp.mask
  uint32_t dst = 0, a = 0, b = 0, c = 0, d = 0, e = 0;  ///< frame offsets in bytes; unused ones are 0
  uint64_t imm = 0;           ///< address offset, branch target, shift: the family says
  uint32_t site = 0;          ///< index into Code::sites
  uint32_t guard = 0;         ///< frame offset of the guard predicate, 0 = unguarded
  bool guard_negated = false;
  uint8_t flags = 0;          ///< the family's own
  uint16_t extra = 0;         ///< the family's own: index into Code::extras and the like
};
static_assert(sizeof(Inst) == 64);

/// Static facts of one instruction, for counters and messages.
struct Site {
  std::string name;           ///< "ld.global.f32"
  int32_t point = -1;         ///< into the module's points
  uint32_t ptx_line = 0;
  uint32_t function = 0;
};

struct BasicBlock {
  uint32_t first = 0;         ///< index of its first instruction
  uint32_t count = 0;         ///< instructions, the terminator included
};

/// How a frame's constant and special slots are filled.
struct SlotInit {
  enum class Kind : uint8_t { constant, parameter, special, symbol };
  Kind kind = Kind::constant;
  bool wide = false;          ///< 64-bit slot
  uint32_t offset = 0;        ///< in the frame
  uint64_t bits = 0;          ///< constant; parameter: byte offset among the parameters
  uint32_t bytes = 4;         ///< parameter: width read
  bool sign_extend = false;   ///< parameter
  std::string name;           ///< special: "%tid.x"; symbol: variable or function
  int64_t addend = 0;         ///< symbol
};

struct CodeFunction {
  std::string name;
  uint32_t index = 0;
  const ptx::Function* source = nullptr;
  std::vector<Inst> instructions;
  std::vector<BasicBlock> blocks;
  std::vector<uint32_t> block_of;      ///< instruction index -> block index
  std::vector<SlotInit> inits;
  uint32_t frame_bytes = 0;
  uint32_t local_bytes = 0;            ///< .local depot and call parameters, bytes a thread
  uint32_t live_across_calls_bytes = 0;///< registers live over calls, for the call-stack rule
  bool recursive = false;              ///< can reach itself by calls
};

/// Everything of a module decoded for one level and instruction set.
struct Code {
  std::shared_ptr<const ptx::Module> module;
  std::vector<std::unique_ptr<CodeFunction>> functions;
  std::vector<Site> sites;
  bool blocks_may_communicate = false; ///< some reachable instruction lets blocks see each other's order
  const CodeFunction* function(std::string_view name) const;
};

}  // namespace warpbook::simt
