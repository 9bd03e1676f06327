// Integer sums and differences: add, sub, neg, abs, sad, and the carry chains add.cc, addc, sub.cc, subc (PTX
// ISA 9.7.1, 9.7.2). 16-bit values are computed on 32-bit lanes: the low half does not depend on the upper
// one, or it is brought to the top first.
#include "simt/ops/all_families.h"
#include "simt/ops/handlers.h"
#include "simt/ops/packed_integer.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

using ptx::Type;

template <class T>
struct Add {
  using Lane = T;
  static Vec<T> apply(Vec<T> a, Vec<T> b) { return a + b; }
};
template <class T>
struct Subtract {
  using Lane = T;
  static Vec<T> apply(Vec<T> a, Vec<T> b) { return a - b; }
};

/// What a signed sum becomes when it left the range: the end of the range on the side of `a`.
WARPBOOK_INLINE Vec<uint32_t> clamp_on_overflow(Vec<uint32_t> result, Vec<uint32_t> a,
                                                Vec<uint32_t> overflow) {
  const Vec<uint32_t> end = Vec<uint32_t>(Vec<int32_t>(a) >> 31) ^ 0x7fffffffu;
  return Vec<int32_t>(overflow) < 0 ? end : result;
}
struct AddSaturated {
  using Lane = uint32_t;
  static Vec<uint32_t> apply(Vec<uint32_t> a, Vec<uint32_t> b) {
    const Vec<uint32_t> sum = a + b;
    return clamp_on_overflow(sum, a, (a ^ sum) & (b ^ sum));
  }
};
struct SubtractSaturated {
  using Lane = uint32_t;
  static Vec<uint32_t> apply(Vec<uint32_t> a, Vec<uint32_t> b) {
    const Vec<uint32_t> difference = a - b;
    return clamp_on_overflow(difference, a, (a ^ b) & (a ^ difference));
  }
};

template <class T>
struct Negate {
  using Lane = T;
  static Vec<T> apply(Vec<T> a) { return Vec<T>{} - a; }
};
template <class T>
struct Absolute {
  using Lane = T;
  static Vec<T> apply(Vec<T> a) { return MaskVec<T>(a) < 0 ? Vec<T>{} - a : a; }
};
struct Absolute16 {
  using Lane = uint32_t;
  static Vec<uint32_t> apply(Vec<uint32_t> a) { return Absolute<uint32_t>::apply(a << 16) >> 16; }
};

template <class T, bool Signed>
struct AbsoluteDifferenceSum {
  using Lane = T;
  static Vec<T> apply(Vec<T> a, Vec<T> b, Vec<T> c) {
    MaskVec<T> less;
    if constexpr (Signed) {
      less = MaskVec<T>(a) < MaskVec<T>(b);
    } else {
      less = a < b;
    }
    return c + (less ? b - a : a - b);
  }
};
template <bool Signed>
struct AbsoluteDifferenceSum16 {
  using Lane = uint32_t;
  static Vec<uint32_t> apply(Vec<uint32_t> a, Vec<uint32_t> b, Vec<uint32_t> c) {
    const Vec<uint32_t> top =
        AbsoluteDifferenceSum<uint32_t, Signed>::apply(a << 16, b << 16, Vec<uint32_t>{});
    return c + (top >> 16);
  }
};

/// add.cc, addc, sub.cc, subc. The condition code register is a bit a lane; for differences it is the borrow.
template <class T, bool Minus, bool TakesCarry, bool GivesCarry>
Step run_extended(Warp& warp, const Inst& inst) {
  T* d = slot<T>(warp, inst.dst);
  const T* a = slot<T>(warp, inst.a);
  const T* b = slot<T>(warp, inst.b);
  uint32_t carries = warp.carry;
  each_lane<true>(warp, [&](int lane) {
    const T in = TakesCarry ? T(carries >> lane & 1) : T(0);
    T partial, result;
    bool out;
    if constexpr (Minus) {
      out = __builtin_sub_overflow(a[lane], b[lane], &partial);
      out |= __builtin_sub_overflow(partial, in, &result);
    } else {
      out = __builtin_add_overflow(a[lane], b[lane], &partial);
      out |= __builtin_add_overflow(partial, in, &result);
    }
    d[lane] = result;
    if constexpr (GivesCarry) carries = (carries & ~(1u << lane)) | uint32_t(out) << lane;
  });
  warp.carry = carries;
  return Step::next;
}

template <bool Minus, bool TakesCarry>
bool decode_extended(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const Type type = source.type();
  const bool gives = source.has("cc");
  switch (bits_of(type)) {
    case 32:
      use_both(inst, gives ? &run_extended<uint32_t, Minus, TakesCarry, true>
                           : &run_extended<uint32_t, Minus, TakesCarry, false>);
      break;
    case 64:
      use_both(inst, gives ? &run_extended<uint64_t, Minus, TakesCarry, true>
                           : &run_extended<uint64_t, Minus, TakesCarry, false>);
      break;
    default: return false;
  }
  return fill_binary(source, encoder, inst, type);
}

/// One operation at 16, 32 or 64 bits, as the type says.
template <class Op16, class Op32, class Op64>
bool use_unary_of_width(Inst& inst, Type type) {
  switch (bits_of(type)) {
    case 16: use_unary<Op16>(inst); return true;
    case 32: use_unary<Op32>(inst); return true;
    case 64: use_unary<Op64>(inst); return true;
    default: return false;
  }
}

bool integer(Type type) { return !is_float(type) && type != Type::pred && type != Type::none; }

template <template <class> class Op, class Saturated, bool Minus>
bool decode_sum(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const Type type = source.type();
  if (source.has("cc")) return decode_extended<Minus, false>(source, encoder, inst);
  if (!integer(type)) return false;
  if (source.has("sat")) {
    if (type != Type::s32) return false;
    use_binary<Saturated>(inst);
  } else if (bits_of(type) == 64) {
    use_binary<Op<uint64_t>>(inst);
  } else if (bits_of(type) == 32 || bits_of(type) == 16) {
    use_binary<Op<uint32_t>>(inst);
  } else {
    return false;
  }
  return fill_binary(source, encoder, inst, type);
}

}  // namespace

bool decode_add(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  if (is_packed_integer(source)) return decode_packed_integer(source, encoder, inst);
  if (is_float(source.type())) return decode_float_add(source, encoder, inst);
  return decode_sum<Add, AddSaturated, false>(source, encoder, inst);
}

bool decode_sub(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  if (is_float(source.type())) return decode_float_sub(source, encoder, inst);
  return decode_sum<Subtract, SubtractSaturated, true>(source, encoder, inst);
}

bool decode_addc(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_extended<false, true>(source, encoder, inst);
}

bool decode_subc(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_extended<true, true>(source, encoder, inst);
}

bool decode_neg(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const Type type = source.type();
  if (is_float(type)) return decode_float_neg(source, encoder, inst);
  return use_unary_of_width<Negate<uint32_t>, Negate<uint32_t>, Negate<uint64_t>>(inst, type) &&
         fill_unary(source, encoder, inst, type);
}

bool decode_abs(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const Type type = source.type();
  if (is_float(type)) return decode_float_abs(source, encoder, inst);
  return use_unary_of_width<Absolute16, Absolute<uint32_t>, Absolute<uint64_t>>(inst, type) &&
         fill_unary(source, encoder, inst, type);
}

bool decode_sad(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const Type type = source.type();
  switch (type) {
    case Type::u16: use_ternary<AbsoluteDifferenceSum16<false>>(inst); break;
    case Type::s16: use_ternary<AbsoluteDifferenceSum16<true>>(inst); break;
    case Type::u32: use_ternary<AbsoluteDifferenceSum<uint32_t, false>>(inst); break;
    case Type::s32: use_ternary<AbsoluteDifferenceSum<uint32_t, true>>(inst); break;
    case Type::u64: use_ternary<AbsoluteDifferenceSum<uint64_t, false>>(inst); break;
    case Type::s64: use_ternary<AbsoluteDifferenceSum<uint64_t, true>>(inst); break;
    default: return false;
  }
  return fill_ternary(source, encoder, inst, type);
}

}  // namespace warpbook::simt::WARPBOOK_ISA
