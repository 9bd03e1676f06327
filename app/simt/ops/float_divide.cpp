// Quotients, reciprocals and roots: div, rcp, sqrt, rsqrt (PTX ISA 9.7.3). The approximate forms are computed
// at full precision: their results lie inside the bounds that the ISA gives (2 ulp for div, 1 ulp for rcp and
// sqrt, a relative 2^-22.9 for rsqrt) but are not bit for bit those of a GPU.
#include "simt/ops/all_families.h"
#include "simt/ops/rounding.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

using ptx::Type;

struct Quotient {
  WARPBOOK_INLINE static Vec<float> of(Vec<float> a, Vec<float> b) { return a / b; }
};
/// div.approx multiplies by 1/b: for |b| above 2^126 that is zero, and infinity times it NaN (ISA, "div").
struct ApproximateQuotient {
  WARPBOOK_INLINE static Vec<float> of(Vec<float> a, Vec<float> b) {
    const Vec<float> quotient = a / b;
    const Vec<float> size = Vec<float>(Vec<uint32_t>(b) & 0x7fffffffu);
    return ((size > 0x1p126f) & (size <= __FLT_MAX__)) ? quotient * 0.0f : quotient;
  }
};
template <class Math, bool Ftz>
struct Divide32 {
  using Lane = float;
  static Vec<float> apply(Vec<float> a, Vec<float> b) {
    if constexpr (Ftz) {
      a = flush(a);
      b = flush(b);
    }
    const Vec<float> result = canonical<float>(Math::of(a, b));
    if constexpr (Ftz) return flush(result);
    return result;
  }
};
struct Divide64 {
  using Lane = double;
  static Vec<double> apply(Vec<double> a, Vec<double> b) { return a / b; }
};

struct Reciprocal {
  template <class T>
  WARPBOOK_INLINE static Vec<T> of(Vec<T> a) {
    return all_lanes<T>(1) / a;
  }
};
struct Root {
  template <class T>
  WARPBOOK_INLINE static Vec<T> of(Vec<T> a) {
    return square_root<T>(a);
  }
};
struct ReciprocalRoot {
  template <class T>
  WARPBOOK_INLINE static Vec<T> of(Vec<T> a) {
    return all_lanes<T>(1) / square_root<T>(a);
  }
};
template <class Math, bool Ftz>
struct Unary32 {
  using Lane = float;
  static Vec<float> apply(Vec<float> a) {
    const Vec<float> result = canonical<float>(Math::template of<float>(Ftz ? flush(a) : a));
    if constexpr (Ftz) return flush(result);
    return result;
  }
};
template <class Math>
struct Unary64 {
  using Lane = double;
  static Vec<double> apply(Vec<double> a) { return Math::template of<double>(a); }
};
/// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 give the upper 32 bits of the result and zeros; subnormals are
/// flushed.
template <class Math>
struct Upper64 {
  using Lane = double;
  WARPBOOK_INLINE static Vec<double> flushed(Vec<double> value) {
    const Vec<uint64_t> bits = Vec<uint64_t>(value);
    return Vec<double>((bits & 0x7ff0000000000000u) == 0 ? bits & 0x8000000000000000u : bits);
  }
  static Vec<double> apply(Vec<double> a) {
    const Vec<double> result = flushed(Math::template of<double>(flushed(a)));
    // A NaN whose payload lies in the lower half must not become an infinity.
    const Vec<uint64_t> quiet = Vec<uint64_t>(result != result) & 0x0008000000000000u;
    return Vec<double>((Vec<uint64_t>(result) & 0xffffffff00000000u) | quiet);
  }
};

// Directed roundings, lane by lane.

struct DirectedDivide32 {
  static float apply(const Inst& inst, float a, float b) {
    const bool ftz = inst.flags & flag_ftz;
    const double x = double(ftz ? flush(a) : a), y = double(ftz ? flush(b) : b);
    const double quotient = x / y;
    // The sign of (exact - quotient) is that of the remainder over y.
    const double rest = __builtin_fma(-quotient, y, x);
    const Rounding rounding = Rounding(inst.extra);
    const float result = canonical(round_to_float(to_odd(quotient, negative(y) ? -rest : rest), rounding));
    return ftz ? flush(result) : result;
  }
};
struct DirectedReciprocal32 {
  static float apply(const Inst& inst, float a) { return DirectedDivide32::apply(inst, 1.0f, a); }
};
struct DirectedRoot32 {
  static float apply(const Inst& inst, float a) {
    const bool ftz = inst.flags & flag_ftz;
    const double x = double(ftz ? flush(a) : a);
    const double root = __builtin_sqrt(x);
    const double rest = __builtin_fma(-root, root, x);
    const float result = canonical(round_to_float(to_odd(root, rest), Rounding(inst.extra)));
    return ftz ? flush(result) : result;
  }
};
struct DirectedDivide64 {
  static double apply(const Inst& inst, double a, double b) {
    return quotient_directed(a, b, Rounding(inst.extra));
  }
};
struct DirectedReciprocal64 {
  static double apply(const Inst& inst, double a) { return quotient_directed(1.0, a, Rounding(inst.extra)); }
};
struct DirectedRoot64 {
  static double apply(const Inst& inst, double a) { return root_directed(a, Rounding(inst.extra)); }
};

/// rcp and sqrt differ in their operations alone.
template <class Math, class Directed32, class Directed64>
bool decode_one(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const Type type = source.type();
  const bool ftz = source.has("ftz");
  const Rounding rounding = rounding_of(source);
  inst.flags = float_flags(source);
  inst.extra = uint16_t(rounding);
  if (type == Type::f32) {
    if (rounding != Rounding::nearest) {
      use_lane_unary<Directed32, float, float>(inst);
    } else {
      ftz ? use_unary<Unary32<Math, true>>(inst) : use_unary<Unary32<Math, false>>(inst);
    }
  } else if (type == Type::f64) {
    if (source.has("approx") || ftz) return false;
    if (rounding != Rounding::nearest) {
      use_lane_unary<Directed64, double, double>(inst);
    } else {
      use_unary<Unary64<Math>>(inst);
    }
  } else {
    return false;
  }
  return fill_unary(source, encoder, inst, type);
}

}  // namespace

bool decode_float_div(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const Type type = source.type();
  const bool ftz = source.has("ftz");
  const Rounding rounding = rounding_of(source);
  inst.flags = float_flags(source);
  inst.extra = uint16_t(rounding);
  if (type == Type::f32) {
    if (source.has("approx")) {
      ftz ? use_binary<Divide32<ApproximateQuotient, true>>(inst)
          : use_binary<Divide32<ApproximateQuotient, false>>(inst);
    } else if (rounding != Rounding::nearest) {
      use_lane_binary<DirectedDivide32, float, float, float>(inst);
    } else {
      ftz ? use_binary<Divide32<Quotient, true>>(inst) : use_binary<Divide32<Quotient, false>>(inst);
    }
  } else if (type == Type::f64) {
    if (ftz) return false;
    if (rounding != Rounding::nearest) {
      use_lane_binary<DirectedDivide64, double, double, double>(inst);
    } else {
      use_binary<Divide64>(inst);
    }
  } else {
    return false;
  }
  return fill_binary(source, encoder, inst, type);
}

bool decode_rcp(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  if (source.type() == Type::f64 && source.has("approx")) {
    use_unary<Upper64<Reciprocal>>(inst);
    return fill_unary(source, encoder, inst, Type::f64);
  }
  return decode_one<Reciprocal, DirectedReciprocal32, DirectedReciprocal64>(source, encoder, inst);
}

bool decode_sqrt(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_one<Root, DirectedRoot32, DirectedRoot64>(source, encoder, inst);
}

bool decode_rsqrt(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const Type type = source.type();
  const bool ftz = source.has("ftz");
  if (type == Type::f32) {
    ftz ? use_unary<Unary32<ReciprocalRoot, true>>(inst) : use_unary<Unary32<ReciprocalRoot, false>>(inst);
  } else if (type == Type::f64) {
    ftz ? use_unary<Upper64<ReciprocalRoot>>(inst) : use_unary<Unary64<ReciprocalRoot>>(inst);
  } else {
    return false;
  }
  return fill_unary(source, encoder, inst, type);
}

}  // namespace warpbook::simt::WARPBOOK_ISA
