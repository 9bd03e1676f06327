// Every conversion, lane by lane, exactly: integers as sign and size, floats as doubles (which hold all of
// f16, bf16 and f32), each result rounded once (PTX ISA 9.7.9.21).
#include <cstddef>

#include "simt/ops/all_families.h"
#include "simt/ops/convert.h"
#include "simt/ops/rounding.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

using ptx::Type;

/// A Conversion in the eight bytes of Inst::imm.
struct Packed {
  Type from, to;
  Rounding rounding;
  Integral integral;
  bool saturate, ftz, relu, spare;
};
static_assert(sizeof(Packed) == sizeof(uint64_t));

uint64_t packed(const Conversion& how) {
  return bits_as<uint64_t>(
      Packed{how.from, how.to, how.rounding, how.integral, how.saturate, how.ftz, how.relu, false});
}

/// Widths without a call into another file: this runs for each lane.
WARPBOOK_INLINE int width(Type type) {
  switch (type) {
    case Type::u8:
    case Type::s8:
    case Type::b8: return 8;
    case Type::u16:
    case Type::s16:
    case Type::b16: return 16;
    case Type::u64:
    case Type::s64:
    case Type::b64: return 64;
    default: return 32;
  }
}
WARPBOOK_INLINE bool is_signed_type(Type type) {
  return type == Type::s8 || type == Type::s16 || type == Type::s32 || type == Type::s64;
}
WARPBOOK_INLINE bool float_type(Type type) {
  return type == Type::f16 || type == Type::bf16 || type == Type::f32 || type == Type::f64;
}

/// The low bits of a register as the type reads them, extended to 64 bits.
WARPBOOK_INLINE uint64_t extended(uint64_t bits, Type type) {
  const int shift = 64 - width(type);
  return is_signed_type(type) ? uint64_t(int64_t(bits << shift) >> shift) : bits << shift >> shift;
}

/// .sat between integers: into the range of the result's type.
uint64_t saturated(uint64_t value, Type from, Type to) {
  const int bits = width(to);
  const bool is_negative = is_signed_type(from) && int64_t(value) < 0;
  if (is_signed_type(to)) {
    const uint64_t top = ~uint64_t(0) >> (65 - bits);
    if (is_negative) return int64_t(value) < -int64_t(top) - 1 ? ~top : value;
    return value > top ? top : value;
  }
  if (is_negative) return 0;
  const uint64_t top = ~uint64_t(0) >> (64 - bits);
  return value > top ? top : value;
}

double float_value(uint64_t bits, Type type) {
  switch (type) {
    case Type::f16: return widened<Half>(uint32_t(bits & 0xffff));
    case Type::bf16: return widened<Brain>(uint32_t(bits & 0xffff));
    case Type::f32: return double(bits_as<float>(uint32_t(bits)));
    default: return bits_as<double>(bits);
  }
}

uint64_t float_bits(double value, Type type, Rounding rounding) {
  switch (type) {
    case Type::f16: return narrowed<Half>(value, rounding);
    case Type::bf16: return narrowed<Brain>(value, rounding);
    case Type::f32: return bits_as<uint32_t>(canonical(round_to_float(value, rounding)));
    default: return bits_as<uint64_t>(value);
  }
}

uint64_t integer_to_float(uint64_t value, bool is_negative, Type type, Rounding rounding) {
  if (value == 0) return 0;
  const uint64_t size = is_negative ? uint64_t(0) - value : value;
  switch (type) {
    case Type::f16: return round_to<Half>(is_negative, size, 0, rounding);
    case Type::bf16: return round_to<Brain>(is_negative, size, 0, rounding);
    case Type::f32: return round_to<Single>(is_negative, size, 0, rounding);
    default: return round_to<Double>(is_negative, size, 0, rounding);
  }
}

double to_integral(double value, Integral how) {
  switch (how) {
    case Integral::none: return value;
    case Integral::nearest: return __builtin_rint(value);
    case Integral::zero: return __builtin_trunc(value);
    case Integral::down: return __builtin_floor(value);
    default: return __builtin_ceil(value);
  }
}

/// Saturates at the ends of the type's range. NaN becomes 0 where neither type is 64 bits wide, else the
/// lowest value of the signed range, or 2^(width - 1) unsigned.
uint64_t float_to_integer(double value, Type from, Type to) {
  const int bits = width(to);
  if (value != value) return from != Type::f64 && bits != 64 ? 0 : uint64_t(1) << (bits - 1);
  if (is_signed_type(to)) {
    const uint64_t top = ~uint64_t(0) >> (65 - bits);
    const double limit = bits_as<double>(uint64_t(1023 + bits - 1) << 52);  // 2^(bits - 1)
    if (value >= limit) return top;
    if (value < -limit) return ~top;
    return uint64_t(int64_t(value));
  }
  if (value <= 0) return 0;
  const double limit = bits_as<double>(uint64_t(1023 + bits) << 52);
  if (value >= limit) return ~uint64_t(0) >> (64 - bits);
  return uint64_t(value);
}

/// .ftz touches f32 alone.
WARPBOOK_INLINE uint64_t flushed(uint64_t bits, Type type) {
  if (type != Type::f32 || (bits & 0x7f800000u) != 0) return bits;
  return bits & 0x80000000u;
}

uint64_t convert(uint64_t bits, const Packed& how) {
  const bool from_float = float_type(how.from), to_float = float_type(how.to);
  if (!from_float) {
    const uint64_t value = extended(bits, how.from);
    if (!to_float) return extended(how.saturate ? saturated(value, how.from, how.to) : value, how.to);
    const bool is_negative = is_signed_type(how.from) && int64_t(value) < 0;
    if (how.saturate) return is_negative || value == 0 ? 0 : integer_to_float(1, false, how.to, how.rounding);
    return integer_to_float(value, is_negative, how.to, how.rounding);
  }
  double value = to_integral(float_value(how.ftz ? flushed(bits, how.from) : bits, how.from), how.integral);
  if (!to_float) return extended(float_to_integer(value, how.from, how.to), how.to);
  if (how.saturate) value = value > 0 ? (value < 1 ? value : 1.0) : 0.0;
  if (how.relu && value < 0) value = 0.0;
  const uint64_t result = float_bits(value, how.to, how.rounding);
  return how.ftz ? flushed(result, how.to) : result;
}

template <bool Masked, class D, class A>
Step run_general(Warp& warp, const Inst& inst) {
  D* d = slot<D>(warp, inst.dst);
  const A* a = slot<A>(warp, inst.a);
  const Packed how = bits_as<Packed>(inst.imm);
  each_lane<Masked>(warp, [&](int lane) { d[lane] = D(convert(a[lane], how)); });
  return Step::next;
}
template <class D, class A>
void use_general(Inst& inst) {
  inst.full = &run_general<false, D, A>;
  inst.masked = &run_general<true, D, A>;
}

/// cvt.rn.f16x2.f32 d, a, b: a becomes the upper half.
template <bool Masked>
Step run_packed(Warp& warp, const Inst& inst) {
  uint32_t* d = slot<uint32_t>(warp, inst.dst);
  const uint32_t* a = slot<uint32_t>(warp, inst.a);
  const uint32_t* b = slot<uint32_t>(warp, inst.b);
  const Packed how = bits_as<Packed>(inst.imm);
  each_lane<Masked>(warp, [&](int lane) {
    d[lane] = uint32_t(convert(a[lane], how)) << 16 | uint32_t(convert(b[lane], how));
  });
  return Step::next;
}

}  // namespace

bool use_general_conversion(Inst& inst, const Conversion& how) {
  const auto known = [](Type type) {
    switch (type) {
      case Type::u8:
      case Type::s8:
      case Type::u16:
      case Type::s16:
      case Type::u32:
      case Type::s32:
      case Type::u64:
      case Type::s64:
      case Type::f16:
      case Type::bf16:
      case Type::f32:
      case Type::f64: return true;
      default: return false;
    }
  };
  if (!known(how.from) || !known(how.to)) return false;
  inst.imm = packed(how);
  if (how.wide_result) {
    how.wide_source ? use_general<uint64_t, uint64_t>(inst) : use_general<uint64_t, uint32_t>(inst);
  } else {
    how.wide_source ? use_general<uint32_t, uint64_t>(inst) : use_general<uint32_t, uint32_t>(inst);
  }
  return true;
}

bool decode_cvt_packed(const ptx::Instruction& source, Encoder& encoder, Inst& inst, const Conversion& how) {
  if (how.from != Type::f32) return false;
  Conversion one = how;
  one.to = how.to == Type::f16x2 ? Type::f16 : Type::bf16;
  inst.imm = packed(one);
  inst.full = &run_packed<false>;
  inst.masked = &run_packed<true>;
  return fill_operands(source, encoder, inst, how.to, {Type::f32, Type::f32});
}

}  // namespace warpbook::simt::WARPBOOK_ISA
