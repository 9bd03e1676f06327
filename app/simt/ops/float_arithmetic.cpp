// Float sums, differences and products (PTX ISA 9.7.3). Round to nearest runs vector by vector; the directed
// roundings lane by lane.
#include "simt/ops/all_families.h"
#include "simt/ops/directed.h"
#include "simt/ops/rounding.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

using ptx::Type;

struct Plus {
  template <class V>
  WARPBOOK_INLINE static V of(V a, V b) {
    return a + b;
  }
  WARPBOOK_INLINE static Vec<double> odd(Vec<double> a, Vec<double> b, Vec<double>, Rounding rounding) {
    return sum_to_odd(a, b, rounding);
  }
  static double directed(double a, double b, Rounding rounding) { return sum_directed(a, b, rounding); }
};
struct Minus {
  template <class V>
  WARPBOOK_INLINE static V of(V a, V b) {
    return a - b;
  }
  WARPBOOK_INLINE static Vec<double> odd(Vec<double> a, Vec<double> b, Vec<double>, Rounding rounding) {
    return sum_to_odd(a, -b, rounding);
  }
  static double directed(double a, double b, Rounding rounding) {
    return b != b ? a - b : sum_directed(a, -b, rounding);
  }
};
struct Times {
  template <class V>
  WARPBOOK_INLINE static V of(V a, V b) {
    return a * b;
  }
  /// 24 by 24 bits fit a double.
  WARPBOOK_INLINE static Vec<double> odd(Vec<double> a, Vec<double> b, Vec<double>, Rounding) {
    return a * b;
  }
  static double directed(double a, double b, Rounding rounding) { return product_directed(a, b, rounding); }
};

template <class Math, bool Ftz, bool Sat>
struct Single32 {
  using Lane = float;
  static Vec<float> apply(Vec<float> a, Vec<float> b) {
    if constexpr (Ftz) {
      a = flush(a);
      b = flush(b);
    }
    Vec<float> result = Math::of(a, b);
    if constexpr (Sat) return saturate(Ftz ? flush(result) : result);
    result = canonical<float>(result);
    if constexpr (Ftz) result = flush(result);
    return result;
  }
};
template <class Math>
struct Double64 {
  using Lane = double;
  static Vec<double> apply(Vec<double> a, Vec<double> b) { return Math::of(a, b); }
};

template <class Math>
struct Directed64 {
  static double apply(const Inst& inst, double a, double b) {
    return Math::directed(a, b, Rounding(inst.extra));
  }
};

template <class Math>
bool decode_arithmetic(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const Type type = source.type();
  const bool ftz = source.has("ftz"), sat = source.has("sat");
  const Rounding rounding = rounding_of(source);
  if (type == Type::f32) {
    if (rounding != Rounding::nearest) {
      inst.flags = float_flags(source);
      inst.extra = uint16_t(rounding);
      use_directed<Math, 2>(inst);
    } else if (ftz) {
      sat ? use_binary<Single32<Math, true, true>>(inst) : use_binary<Single32<Math, true, false>>(inst);
    } else {
      sat ? use_binary<Single32<Math, false, true>>(inst) : use_binary<Single32<Math, false, false>>(inst);
    }
  } else if (type == Type::f64) {
    if (ftz || sat) return false;
    if (rounding != Rounding::nearest) {
      inst.extra = uint16_t(rounding);
      use_lane_binary<Directed64<Math>, double, double, double>(inst);
    } else {
      use_binary<Double64<Math>>(inst);
    }
  } else {
    return decode_half(source, encoder, inst);
  }
  return fill_binary(source, encoder, inst, type);
}

}  // namespace

bool decode_float_add(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_arithmetic<Plus>(source, encoder, inst);
}
bool decode_float_sub(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_arithmetic<Minus>(source, encoder, inst);
}
bool decode_float_mul(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_arithmetic<Times>(source, encoder, inst);
}

}  // namespace warpbook::simt::WARPBOOK_ISA
