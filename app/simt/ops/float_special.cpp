// Approximate functions of f32: sin, cos, ex2, lg2, tanh (PTX ISA 9.7.3). Computed in double precision and
// rounded once, ex2 by a polynomial on whole vectors. All lie inside the ISA's bounds and none is bit for bit
// a GPU's.
#include "simt/ops/all_families.h"
#include "simt/ops/handlers.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

using ptx::Type;

struct Sine {
  WARPBOOK_INLINE static float of(float a) { return __builtin_sinf(a); }
};
struct Cosine {
  WARPBOOK_INLINE static float of(float a) { return __builtin_cosf(a); }
};
struct Logarithm {
  WARPBOOK_INLINE static float of(float a) { return __builtin_log2f(a); }
};
struct HyperbolicTangent {
  WARPBOOK_INLINE static float of(float a) { return __builtin_tanhf(a); }
};

template <class Math>
struct ByLane {
  static float apply(const Inst& inst, float a) {
    const bool ftz = inst.flags & flag_ftz;
    const float result = canonical(Math::of(ftz ? flush(a) : a));
    return ftz ? flush(result) : result;
  }
};

/// 2^a. a = whole + part with |part| <= 1/2; 2^part by the first terms of its series, whose remainder is
/// below 0.35^8 / 8! = 6e-9 of the result; two steps of scaling reach the subnormal results with one
/// rounding.
template <bool Ftz>
struct PowerOfTwo {
  using Lane = float;
  static Vec<float> apply(Vec<float> a) {
    if constexpr (Ftz) a = flush(a);
    // Beyond these bounds the result is 0 or infinity; inside them every step below is finite.
    Vec<float> x = a > 200.0f ? all_lanes<float>(200.0f) : a;
    x = x < -200.0f ? all_lanes<float>(-200.0f) : x;
    x = x == x ? x : Vec<float>{};
    const Vec<float> shifter = all_lanes<float>(0x1.8p23f);
    const Vec<float> whole = (x + shifter) - shifter;
    const Vec<float> part = x - whole;
    constexpr float terms[] = {
        1.52527338e-5f, 1.54035304e-4f, 1.33335581e-3f, 9.61812911e-3f,
        5.55041087e-2f, 2.40226507e-1f, 6.93147181e-1f, 1.0f};  // (ln 2)^k / k!, k = 7 to 0
    Vec<float> sum = all_lanes<float>(terms[0]);
    for (int k = 1; k < 8; ++k) sum = fused_multiply_add<float>(sum, part, all_lanes<float>(terms[k]));
    const Vec<int32_t> exponent = __builtin_convertvector(whole, Vec<int32_t>);
    const Vec<int32_t> half = exponent >> 1;
    const Vec<float> scale_1 = Vec<float>((half + 127) << 23);
    const Vec<float> scale_2 = Vec<float>((exponent - half + 127) << 23);
    Vec<float> result = sum * scale_1 * scale_2;
    result = a == a ? result : Vec<float>(all_lanes<uint32_t>(canonical_nan_f32));
    if constexpr (Ftz) result = flush(result);
    return result;
  }
};

template <class Math>
bool decode_by_lane(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  if (source.type() != Type::f32 || !source.has("approx")) return false;
  inst.flags = float_flags(source);
  use_lane_unary<ByLane<Math>, float, float>(inst);
  return fill_unary(source, encoder, inst, Type::f32);
}

}  // namespace

bool decode_sin(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_by_lane<Sine>(source, encoder, inst);
}
bool decode_cos(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_by_lane<Cosine>(source, encoder, inst);
}
bool decode_lg2(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_by_lane<Logarithm>(source, encoder, inst);
}

bool decode_tanh(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  if (source.type() != Type::f32) return decode_half_special(source, encoder, inst);
  return decode_by_lane<HyperbolicTangent>(source, encoder, inst);
}

bool decode_ex2(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  if (!source.has("approx")) return false;
  if (source.type() != Type::f32) return decode_half_special(source, encoder, inst);
  source.has("ftz") ? use_unary<PowerOfTwo<true>>(inst) : use_unary<PowerOfTwo<false>>(inst);
  return fill_unary(source, encoder, inst, Type::f32);
}

}  // namespace warpbook::simt::WARPBOOK_ISA
