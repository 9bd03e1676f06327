// Conversions to and from the floats that only matrix products read: tf32 (a float whose last 13 bits are
// zero) and pairs of 8-bit floats (PTX ISA 9.7.9.21, cvt).
#include "simt/ops/convert.h"
#include "simt/ops/eight_bit_floats.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

using ptx::Type;

enum Flags : uint8_t { five_exponent_bits = 1, relu = 2, half_pair = 4 };
enum class TensorRounding : uint8_t { away, even, zero };

struct ToTensorFloat {
  static uint32_t apply(const Inst& inst, uint32_t a) {
    if ((a & 0x7fffffffu) > 0x7f800000u) return canonical_nan_f32;
    if ((inst.flags & relu) && (a >> 31)) return 0;
    if ((a & 0x7f800000u) == 0x7f800000u) return a;
    switch (TensorRounding(inst.imm)) {
      case TensorRounding::away: a += 0x1000; break;
      case TensorRounding::even: a += 0xfff + (a >> 13 & 1); break;
      case TensorRounding::zero: break;
    }
    return a & 0xffffe000u;
  }
};

uint32_t to_eight_bits(const Inst& inst, double value) {
  if ((inst.flags & relu) && value < 0) value = 0;
  return inst.flags & five_exponent_bits ? narrowed_e5m2(value) : narrowed_e4m3(value);
}

/// d = a in the upper byte, b in the lower.
struct ToEightBits {
  static uint32_t apply(const Inst& inst, float a, float b) {
    return to_eight_bits(inst, double(a)) << 8 | to_eight_bits(inst, double(b));
  }
};
struct HalvesToEightBits {
  static uint32_t apply(const Inst& inst, uint32_t a) {
    return to_eight_bits(inst, widened<Half>(a >> 16)) << 8 | to_eight_bits(inst, widened<Half>(a & 0xffff));
  }
};
struct EightBitsToHalves {
  static uint32_t half(const Inst& inst, uint32_t bits) {
    const double value = inst.flags & five_exponent_bits ? widened_e5m2(bits) : widened_e4m3(bits);
    return uint32_t(narrowed<Half>((inst.flags & relu) && value < 0 ? 0.0 : value, Rounding::nearest));
  }
  static uint32_t apply(const Inst& inst, uint32_t a) {
    return half(inst, a >> 8 & 0xff) << 16 | half(inst, a & 0xff);
  }
};

bool decode_tensor_float(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  if (source.type() != Type::f32 || source.has("satfinite")) return false;
  inst.imm = uint64_t(source.has("rna")  ? TensorRounding::away
                      : source.has("rz") ? TensorRounding::zero
                                         : TensorRounding::even);
  inst.flags = source.has("relu") ? relu : 0;
  use_lane_unary<ToTensorFloat, uint32_t, uint32_t>(inst);
  return fill_operands(source, encoder, inst, Type::b32, {Type::f32});
}

}  // namespace

bool is_narrow_conversion(const ptx::Instruction& source) {
  return source.has("tf32") || source.has("e4m3x2") || source.has("e5m2x2");
}

bool decode_cvt_narrow(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  if (source.has("tf32")) return decode_tensor_float(source, encoder, inst);
  const std::string& last = source.modifiers.back();
  const bool five = source.has("e5m2x2");
  if (!source.has("rn") || five == source.has("e4m3x2")) return false;
  inst.flags = uint8_t((five ? five_exponent_bits : 0) | (source.has("relu") ? relu : 0));
  if (last == "e4m3x2" || last == "e5m2x2") {
    if (!source.has("f16x2")) return false;
    use_lane_unary<EightBitsToHalves, uint32_t, uint32_t>(inst);
    return fill_operands(source, encoder, inst, Type::f16x2, {Type::b16});
  }
  if (!source.has("satfinite")) return false;
  if (last == "f16x2") {
    use_lane_unary<HalvesToEightBits, uint32_t, uint32_t>(inst);
    return fill_operands(source, encoder, inst, Type::b16, {Type::f16x2});
  }
  if (last != "f32") return false;
  use_lane_binary<ToEightBits, uint32_t, float, float>(inst);
  return fill_operands(source, encoder, inst, Type::b16, {Type::f32, Type::f32});
}

}  // namespace warpbook::simt::WARPBOOK_ISA
