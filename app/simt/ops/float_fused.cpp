// Fused multiply-add: fma, and mad on floats, which is the same since sm_20 (PTX ISA 9.7.3, "fma", "mad").
#include "simt/ops/all_families.h"
#include "simt/ops/directed.h"
#include "simt/ops/rounding.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

using ptx::Type;

template <bool Ftz, bool Sat>
struct Fused32 {
  using Lane = float;
  static Vec<float> apply(Vec<float> a, Vec<float> b, Vec<float> c) {
    if constexpr (Ftz) {
      a = flush(a);
      b = flush(b);
      c = flush(c);
    }
    Vec<float> result = fused_multiply_add<float>(a, b, c);
    if constexpr (Sat) return saturate(Ftz ? flush(result) : result);
    result = canonical<float>(result);
    if constexpr (Ftz) result = flush(result);
    return result;
  }
};
struct Fused64 {
  using Lane = double;
  static Vec<double> apply(Vec<double> a, Vec<double> b, Vec<double> c) {
    return fused_multiply_add<double>(a, b, c);
  }
};

struct FusedOdd {
  WARPBOOK_INLINE static Vec<double> odd(Vec<double> a, Vec<double> b, Vec<double> c, Rounding rounding) {
    return sum_to_odd(a * b, c, rounding);  // the product is exact: 48 bits
  }
};
struct FusedDirected64 {
  static double apply(const Inst& inst, double a, double b, double c) {
    return fused_directed(a, b, c, Rounding(inst.extra));
  }
};

}  // namespace

bool decode_fma(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const Type type = source.type();
  const bool ftz = source.has("ftz"), sat = source.has("sat");
  const Rounding rounding = rounding_of(source);
  inst.extra = uint16_t(rounding);
  if (type == Type::f32) {
    if (source.has("relu")) return false;
    inst.flags = float_flags(source);
    if (rounding != Rounding::nearest) {
      use_directed<FusedOdd, 3>(inst);
    } else if (ftz) {
      sat ? use_ternary<Fused32<true, true>>(inst) : use_ternary<Fused32<true, false>>(inst);
    } else {
      sat ? use_ternary<Fused32<false, true>>(inst) : use_ternary<Fused32<false, false>>(inst);
    }
  } else if (type == Type::f64) {
    if (ftz || sat) return false;
    if (rounding != Rounding::nearest) {
      use_lane_ternary<FusedDirected64, double, double, double, double>(inst);
    } else {
      use_ternary<Fused64>(inst);
    }
  } else {
    return decode_half(source, encoder, inst);
  }
  return fill_ternary(source, encoder, inst, type);
}

}  // namespace warpbook::simt::WARPBOOK_ISA
