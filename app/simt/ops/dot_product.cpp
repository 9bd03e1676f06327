// dp4a and dp2a: sums of products of packed bytes (PTX ISA 9.7.1, "dp4a", "dp2a").
#include "simt/ops/all_families.h"
#include "simt/ops/handlers.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

using ptx::Type;

enum Flags : uint8_t { a_signed = 1, b_signed = 2, upper_half = 4 };

WARPBOOK_INLINE uint32_t extended(uint32_t bits, int width, bool is_signed_value) {
  const int shift = 32 - width;
  return is_signed_value ? uint32_t(int32_t(bits << shift) >> shift) : (bits << shift) >> shift;
}

/// Four products of bytes; wraps at 32 bits.
struct DotOfFour {
  static uint32_t apply(const Inst& inst, uint32_t a, uint32_t b, uint32_t c) {
    for (int i = 0; i < 4; ++i) {
      c +=
          extended(a >> (8 * i), 8, inst.flags & a_signed) * extended(b >> (8 * i), 8, inst.flags & b_signed);
    }
    return c;
  }
};
/// Two 16-bit values of a against the lower or the upper two bytes of b.
struct DotOfTwo {
  static uint32_t apply(const Inst& inst, uint32_t a, uint32_t b, uint32_t c) {
    const uint32_t bytes = inst.flags & upper_half ? b >> 16 : b;
    for (int i = 0; i < 2; ++i) {
      c += extended(a >> (16 * i), 16, inst.flags & a_signed) *
           extended(bytes >> (8 * i), 8, inst.flags & b_signed);
    }
    return c;
  }
};

bool fill(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const Type a = source.type(0), b = source.type(1);
  if ((a != Type::u32 && a != Type::s32) || (b != Type::u32 && b != Type::s32)) return false;
  inst.flags = uint8_t(inst.flags | (a == Type::s32 ? a_signed : 0) | (b == Type::s32 ? b_signed : 0));
  const Type sum = inst.flags & (a_signed | b_signed) ? Type::s32 : Type::u32;
  return fill_operands(source, encoder, inst, sum, {a, b, sum});
}

}  // namespace

bool decode_dp4a(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  use_lane_ternary<DotOfFour, uint32_t, uint32_t, uint32_t, uint32_t>(inst);
  return fill(source, encoder, inst);
}

bool decode_dp2a(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  if (!source.has("lo") && !source.has("hi")) return false;
  if (source.has("hi")) inst.flags = upper_half;
  use_lane_ternary<DotOfTwo, uint32_t, uint32_t, uint32_t, uint32_t>(inst);
  return fill(source, encoder, inst);
}

}  // namespace warpbook::simt::WARPBOOK_ISA
