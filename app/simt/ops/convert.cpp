// cvt: which conversion an instruction asks for (PTX ISA 9.7.9.21). The usual ones run vector by vector
// (here); the others go through convert_general.cpp, lane by lane.
#include "simt/ops/convert.h"

#include "simt/ops/all_families.h"
#include "simt/ops/handlers.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

using ptx::Type;

/// Converts lanes of A into lanes of D by the compiler's own conversion; 32 bytes of the wider type at a
/// time.
template <bool Masked, class D, class A, class After>
Step run_convert(Warp& warp, const Inst& inst) {
  D* d = slot<D>(warp, inst.dst);
  const A* a = slot<A>(warp, inst.a);
  constexpr int step = sizeof(D) > sizeof(A) ? vec_lanes<D> : vec_lanes<A>;
  typedef A from __attribute__((vector_size(step * sizeof(A))));
  typedef D to __attribute__((vector_size(step * sizeof(D))));
  if constexpr (sizeof(D) < sizeof(A)) {
    // A narrower result: collected first, since stores are in units of whole vectors.
    alignas(32) D result[lanes];
    for (int i = 0; i < lanes; i += step) {
      from x;
      std::memcpy(&x, a + i, sizeof x);
      const to y = __builtin_convertvector(x, to);
      std::memcpy(result + i, &y, sizeof y);
    }
    for (int i = 0; i < lanes; i += vec_lanes<D>) {
      store_lanes<Masked, D>(warp, d, i, After::of(*reinterpret_cast<const Vec<D>*>(result + i)));
    }
  } else {
    for (int i = 0; i < lanes; i += step) {
      from x;
      std::memcpy(&x, a + i, sizeof x);
      store_lanes<Masked, D>(warp, d, i, After::of(__builtin_convertvector(x, Vec<D>)));
    }
  }
  return Step::next;
}
struct AsIs {
  template <class V>
  WARPBOOK_INLINE static V of(V value) {
    return value;
  }
};
struct Canonical {
  WARPBOOK_INLINE static Vec<float> of(Vec<float> value) { return canonical<float>(value); }
};
struct CanonicalFlushed {
  WARPBOOK_INLINE static Vec<float> of(Vec<float> value) { return flush(canonical<float>(value)); }
};
template <class D, class A, class After = AsIs>
void use_convert(Inst& inst) {
  inst.full = &run_convert<false, D, A, After>;
  inst.masked = &run_convert<true, D, A, After>;
}

/// Low `32 - imm` bits, extended, within 32-bit slots.
template <bool Masked, bool Signed>
Step run_extend(Warp& warp, const Inst& inst) {
  uint32_t* d = slot<uint32_t>(warp, inst.dst);
  const uint32_t* a = slot<uint32_t>(warp, inst.a);
  const int shift = int(inst.imm);
  for (int i = 0; i < lanes; i += 8) {
    const Vec<uint32_t> top = *reinterpret_cast<const Vec<uint32_t>*>(a + i) << shift;
    store_lanes<Masked, uint32_t>(warp, d, i,
                                  Signed ? Vec<uint32_t>(Vec<int32_t>(top) >> shift) : top >> shift);
  }
  return Step::next;
}

template <Integral How>
WARPBOOK_INLINE Vec<float> whole(Vec<float> a) {
  if constexpr (How == Integral::zero) return a;  // the conversion itself cuts
#if defined(__AVX2__)
  typedef float f32x8 __attribute__((vector_size(32)));
  constexpr int mode = How == Integral::nearest ? 0 : How == Integral::down ? 1 : 2;
  return Vec<float>(__builtin_ia32_roundps256(f32x8(a), mode | 8));
#else
  Vec<float> result;
  for (int i = 0; i < 8; ++i) {
    if constexpr (How == Integral::nearest) {
      result[i] = __builtin_rintf(a[i]);
    } else if constexpr (How == Integral::down) {
      result[i] = __builtin_floorf(a[i]);
    } else {
      result[i] = __builtin_ceilf(a[i]);
    }
  }
  return result;
#endif
}

/// f32 to s32 and u32: NaN becomes 0, what does not fit the nearest end of the range. Only values in range
/// reach the conversion, whose result is undefined for the others.
template <Integral How, bool Ftz, bool Unsigned>
struct ToInteger32 {
  using Lane = int32_t;
  static Vec<int32_t> apply(Vec<int32_t> bits) {
    Vec<float> a = Vec<float>(bits);
    if constexpr (Ftz) a = flush(a);
    a = whole<How>(a);
    if constexpr (Unsigned) {
      const Vec<int32_t> too_large = a >= 0x1p32f, upper = a >= 0x1p31f;
      const Vec<float> positive = (a > 0.0f) & ~too_large ? a : Vec<float>{};
      const Vec<float> half = upper & ~too_large ? positive - 0x1p31f : positive;
      const Vec<int32_t> result = __builtin_convertvector(half, Vec<int32_t>) ^ (upper & INT32_MIN);
      return too_large ? all_lanes<int32_t>(-1) : result;
    } else {
      const Vec<int32_t> large = a >= 0x1p31f, small = a < -0x1p31f;
      const Vec<float> inside = (a == a) & ~large & ~small ? a : Vec<float>{};
      Vec<int32_t> result = __builtin_convertvector(inside, Vec<int32_t>);
      result = large ? all_lanes<int32_t>(INT32_MAX) : result;
      return small ? all_lanes<int32_t>(INT32_MIN) : result;
    }
  }
};
template <bool Unsigned>
bool use_to_integer(Inst& inst, Integral how, bool ftz) {
  switch (how) {
    case Integral::zero:
      ftz ? use_unary<ToInteger32<Integral::zero, true, Unsigned>>(inst)
          : use_unary<ToInteger32<Integral::zero, false, Unsigned>>(inst);
      return true;
    case Integral::nearest:
      ftz ? use_unary<ToInteger32<Integral::nearest, true, Unsigned>>(inst)
          : use_unary<ToInteger32<Integral::nearest, false, Unsigned>>(inst);
      return true;
    case Integral::down:
      ftz ? use_unary<ToInteger32<Integral::down, true, Unsigned>>(inst)
          : use_unary<ToInteger32<Integral::down, false, Unsigned>>(inst);
      return true;
    case Integral::up:
      ftz ? use_unary<ToInteger32<Integral::up, true, Unsigned>>(inst)
          : use_unary<ToInteger32<Integral::up, false, Unsigned>>(inst);
      return true;
    case Integral::none: return false;
  }
  return false;
}

#if defined(__F16C__)
typedef short EightHalves __attribute__((vector_size(16)));
typedef float EightFloats __attribute__((vector_size(32)));

template <bool Masked>
Step run_half_to_float(Warp& warp, const Inst& inst) {
  float* d = slot<float>(warp, inst.dst);
  const uint32_t* a = slot<uint32_t>(warp, inst.a);
  for (int i = 0; i < lanes; i += 8) {
    const EightHalves halves =
        __builtin_convertvector(*reinterpret_cast<const Vec<uint32_t>*>(a + i), EightHalves);
    store_lanes<Masked, float>(warp, d, i, canonical<float>(Vec<float>(__builtin_ia32_vcvtph2ps256(halves))));
  }
  return Step::next;
}
template <bool Masked, int Mode>
Step run_float_to_half(Warp& warp, const Inst& inst) {
  uint32_t* d = slot<uint32_t>(warp, inst.dst);
  const float* a = slot<float>(warp, inst.a);
  typedef unsigned short Bits __attribute__((vector_size(16)));
  for (int i = 0; i < lanes; i += 8) {
    const Vec<float> value = *reinterpret_cast<const Vec<float>*>(a + i);
    const Bits halves = Bits(__builtin_ia32_vcvtps2ph256(EightFloats(value), Mode));
    const Vec<uint32_t> result = __builtin_convertvector(halves, Vec<uint32_t>);
    store_lanes<Masked, uint32_t>(warp, d, i, value == value ? result : all_lanes<uint32_t>(0x7fff));
  }
  return Step::next;
}
template <int Mode>
void use_float_to_half(Inst& inst) {
  inst.full = &run_float_to_half<false, Mode>;
  inst.masked = &run_float_to_half<true, Mode>;
}
#endif

/// f16 from and to f32, where the processor converts them itself.
bool use_half(Inst& inst, [[maybe_unused]] const Conversion& how) {
  inst.imm = 0;
#if defined(__F16C__)
  if (how.ftz || how.integral != Integral::none) return false;
  if (how.from == Type::f16 && how.to == Type::f32) {
    inst.full = &run_half_to_float<false>;
    inst.masked = &run_half_to_float<true>;
    return true;
  }
  if (how.from == Type::f32 && how.to == Type::f16) {
    switch (how.rounding) {
      case Rounding::nearest: use_float_to_half<0>(inst); return true;
      case Rounding::down: use_float_to_half<1>(inst); return true;
      case Rounding::up: use_float_to_half<2>(inst); return true;
      case Rounding::zero: use_float_to_half<3>(inst); return true;
    }
  }
#endif
  return false;
}

/// The fast form of a conversion between integers; false when there is none.
bool use_integer(Inst& inst, const Conversion& how) {
  if (how.saturate) return false;
  const int from = bits_of(how.from), to = bits_of(how.to);
  if (how.wide_source && how.wide_result) {
    if (from != 64 || to != 64) return false;
    use_convert<uint64_t, uint64_t>(inst);
    return true;
  }
  if (how.wide_source) {
    if (to != 32 || from != 64) return false;
    use_convert<uint32_t, uint64_t>(inst);
    return true;
  }
  if (how.wide_result) {
    if (from != 32 || to != 64) return false;
    is_signed(how.from) ? use_convert<int64_t, int32_t>(inst) : use_convert<uint64_t, uint32_t>(inst);
    return true;
  }
  // Both in 32-bit slots: one extension says it all, but for a signed value that grows into an unsigned
  // narrow type.
  const bool shrinks = to <= from;
  if (!shrinks && to < 32 && is_signed(how.from) && !is_signed(how.to)) return false;
  const bool sign = is_signed(shrinks ? how.to : how.from);
  inst.imm = uint64_t(32 - (shrinks ? to : from));
  inst.full = sign ? &run_extend<false, true> : &run_extend<false, false>;
  inst.masked = sign ? &run_extend<true, true> : &run_extend<true, false>;
  return true;
}

bool use_fast(Inst& inst, const Conversion& how) {
  const bool from_float = is_float(how.from), to_float = is_float(how.to);
  if (!from_float && !to_float) return use_integer(inst, how);
  if (how.saturate || how.relu) return false;
  if (!from_float) {
    if (how.rounding != Rounding::nearest || how.wide_source) return false;
    const bool is_signed_source = how.from == Type::s32;
    if (!is_signed_source && how.from != Type::u32) return false;
    if (how.to == Type::f32) {
      is_signed_source ? use_convert<float, int32_t>(inst) : use_convert<float, uint32_t>(inst);
      return true;
    }
    if (how.to == Type::f64) {
      is_signed_source ? use_convert<double, int32_t>(inst) : use_convert<double, uint32_t>(inst);
      return true;
    }
    return false;
  }
  if (how.from == Type::f32 && !how.wide_result) {
    if (how.to == Type::s32) return use_to_integer<false>(inst, how.integral, how.ftz);
    if (how.to == Type::u32) return use_to_integer<true>(inst, how.integral, how.ftz);
  }
  if (use_half(inst, how)) return true;
  if (how.from == Type::f32 && how.to == Type::f64 && !how.ftz && how.integral == Integral::none) {
    use_convert<double, float>(inst);
    return true;
  }
  if (how.from == Type::f64 && how.to == Type::f32 && how.rounding == Rounding::nearest &&
      how.integral == Integral::none) {
    how.ftz ? use_convert<float, double, CanonicalFlushed>(inst)
            : use_convert<float, double, Canonical>(inst);
    return true;
  }
  return false;
}

/// Whether a register (or a literal of this type) lies in a 64-bit slot: cvt takes registers wider than its
/// types.
bool wide(const ptx::Operand& operand, Type type, Encoder& encoder) {
  if (operand.kind == ptx::Operand::Kind::reg) {
    return bits_of(encoder.function().registers[operand.index].type) == 64;
  }
  return bits_of(type) == 64;
}

Integral integral_of(const ptx::Instruction& source) {
  if (source.has("rni")) return Integral::nearest;
  if (source.has("rzi")) return Integral::zero;
  if (source.has("rmi")) return Integral::down;
  if (source.has("rpi")) return Integral::up;
  return Integral::none;
}

}  // namespace

bool decode_cvt(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  if (is_narrow_conversion(source)) return decode_cvt_narrow(source, encoder, inst);
  Conversion how;
  how.to = source.type(0);
  how.from = source.type(1);
  how.rounding = rounding_of(source);
  how.integral = integral_of(source);
  how.saturate = source.has("sat");
  how.ftz = source.has("ftz");
  how.relu = source.has("relu");
  if (how.to == Type::none || how.from == Type::none || source.has("satfinite") || source.has("rs"))
    return false;
  if (how.to == Type::f16x2 || how.to == Type::bf16x2) return decode_cvt_packed(source, encoder, inst, how);
  if (source.operands.size() != 2) return false;
  const bool to_integer = !is_float(how.to) && is_float(how.from);
  if (to_integer && how.integral == Integral::none) return false;
  if (!is_float(how.to) && bits_of(how.to) < 8) return false;
  how.wide_source = wide(source.operands[1], how.from, encoder);
  how.wide_result = wide(source.operands[0], how.to, encoder);
  if (!use_fast(inst, how) && !use_general_conversion(inst, how)) return false;
  return fill_operands(source, encoder, inst, how.to, {how.from});
}

}  // namespace warpbook::simt::WARPBOOK_ISA
