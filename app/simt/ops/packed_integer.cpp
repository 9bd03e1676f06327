// add, min and max of two 16-bit integers in a register, and .relu of integers (PTX ISA 9.7.1).
#include "simt/ops/packed_integer.h"

#include <algorithm>

#include "simt/ops/handlers.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

using ptx::Type;

enum class Operation : uint8_t { add, min, max };
enum Flags : uint8_t { signed_parts = 1, relu = 2 };

/// Two halves; Inst::imm is the operation.
struct Halves {
  static uint32_t half(const Inst& inst, uint32_t a, uint32_t b) {
    const bool is_signed = inst.flags & signed_parts;
    const int32_t x = is_signed ? int16_t(a) : int32_t(a & 0xffff);
    const int32_t y = is_signed ? int16_t(b) : int32_t(b & 0xffff);
    int32_t result = Operation(inst.imm) == Operation::add   ? x + y
                     : Operation(inst.imm) == Operation::min ? std::min(x, y)
                                                             : std::max(x, y);
    if (inst.flags & relu) result = std::max(result, 0);
    return uint32_t(result) & 0xffff;
  }
  static uint32_t apply(const Inst& inst, uint32_t a, uint32_t b) {
    return half(inst, a, b) | half(inst, a >> 16, b >> 16) << 16;
  }
};
struct Whole {
  static int32_t apply(const Inst& inst, int32_t a, int32_t b) {
    return std::max(Operation(inst.imm) == Operation::min ? std::min(a, b) : std::max(a, b), 0);
  }
};

}  // namespace

bool is_packed_integer(const ptx::Instruction& source) {
  return source.has("s16x2") || source.has("u16x2") || (source.has("relu") && source.type() == Type::s32);
}

bool decode_packed_integer(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const Operation operation = source.opcode == "add"   ? Operation::add
                              : source.opcode == "min" ? Operation::min
                                                       : Operation::max;
  inst.imm = uint64_t(operation);
  inst.flags = uint8_t((source.has("s16x2") ? signed_parts : 0) | (source.has("relu") ? relu : 0));
  if (source.has("relu") && (operation == Operation::add || source.has("u16x2"))) return false;
  if (source.type() == Type::s32) {
    use_lane_binary<Whole, int32_t, int32_t, int32_t>(inst);
  } else {
    use_lane_binary<Halves, uint32_t, uint32_t, uint32_t>(inst);
  }
  return fill_binary(source, encoder, inst, Type::b32);
}

}  // namespace warpbook::simt::WARPBOOK_ISA
