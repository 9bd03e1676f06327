// Float operations on the sign and class bits alone: neg, abs, copysign, testp (PTX ISA 9.7.3).
#include "simt/ops/all_families.h"
#include "simt/ops/handlers.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

using ptx::Type;

template <class T>
constexpr T sign_bit = T(1) << (sizeof(T) * 8 - 1);

template <class T, bool Ftz>
WARPBOOK_INLINE Vec<T> input(Vec<T> bits) {
  if constexpr (Ftz) return Vec<T>(flush(Vec<float>(bits)));
  return bits;
}
template <class T, bool Ftz>
struct Negate {
  using Lane = T;
  static Vec<T> apply(Vec<T> a) { return input<T, Ftz>(a) ^ sign_bit<T>; }
};
template <class T, bool Ftz>
struct Absolute {
  using Lane = T;
  static Vec<T> apply(Vec<T> a) { return input<T, Ftz>(a) & ~sign_bit<T>; }
};
/// The size of b with the sign of a.
template <class T>
struct CopySign {
  using Lane = T;
  static Vec<T> apply(Vec<T> a, Vec<T> b) { return (b & ~sign_bit<T>) | (a & sign_bit<T>); }
};

template <template <class, bool> class Op>
bool decode_sign(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const Type type = source.type();
  const bool ftz = source.has("ftz");
  if (type == Type::f32) {
    ftz ? use_unary<Op<uint32_t, true>>(inst) : use_unary<Op<uint32_t, false>>(inst);
  } else if (type == Type::f64 && !ftz) {
    use_unary<Op<uint64_t, false>>(inst);
  } else {
    return decode_half(source, encoder, inst);
  }
  return fill_unary(source, encoder, inst, type);
}

enum class Class : uint8_t { finite, infinite, number, notanumber, normal, subnormal };

template <class T>
Step run_testp(Warp& warp, const Inst& inst) {
  const T* a = slot<T>(warp, inst.a);
  constexpr T exponent = sizeof(T) == 4 ? T(0x7f800000u) : T(0x7ff0000000000000u);
  uint32_t set = 0;
  for (int lane = 0; lane < lanes; ++lane) {
    const T size = a[lane] & ~sign_bit<T>;
    bool is = false;
    switch (Class(inst.flags)) {
      case Class::finite: is = size < exponent; break;
      case Class::infinite: is = size == exponent; break;
      case Class::number: is = size <= exponent; break;
      case Class::notanumber: is = size > exponent; break;
      case Class::normal: is = size < exponent && (size & exponent) != 0; break;
      case Class::subnormal: is = size != 0 && (size & exponent) == 0; break;
    }
    set |= uint32_t(is) << lane;
  }
  store_predicate(warp, inst.dst, set);
  return Step::next;
}

}  // namespace

bool decode_float_neg(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_sign<Negate>(source, encoder, inst);
}
bool decode_float_abs(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_sign<Absolute>(source, encoder, inst);
}

bool decode_copysign(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const Type type = source.type();
  if (type == Type::f32) {
    use_binary<CopySign<uint32_t>>(inst);
  } else if (type == Type::f64) {
    use_binary<CopySign<uint64_t>>(inst);
  } else {
    return false;
  }
  return fill_binary(source, encoder, inst, type);
}

bool decode_testp(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  constexpr std::string_view names[] = {"finite", "infinite", "number", "notanumber", "normal", "subnormal"};
  const Type type = source.type();
  if (source.operands.size() != 2 || source.modifiers.empty()) return false;
  size_t which = 0;
  while (which < 6 && source.modifiers[0] != names[which]) ++which;
  if (which == 6) return false;
  inst.flags = uint8_t(which);
  if (type == Type::f32) {
    use_both(inst, &run_testp<uint32_t>);
  } else if (type == Type::f64) {
    use_both(inst, &run_testp<uint64_t>);
  } else {
    return false;
  }
  inst.a = encoder.source(source.operands[1], type);
  inst.dst = encoder.target_predicate(source.operands[0]);
  return true;
}

}  // namespace warpbook::simt::WARPBOOK_ISA
