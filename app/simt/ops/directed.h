#pragma once
// The directed roundings of f32 sums, products and fused operations, four lanes at a time in doubles that are
// rounded to odd (see rounding.h for the method; CUDA's own expf uses fma.rm, so this is no rarity).
#include "simt/ops/handlers.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

typedef float FourFloats __attribute__((vector_size(16)));
typedef int32_t FourInts __attribute__((vector_size(16)));

/// `nearest` beside the exact value, `error` with the sign of (exact - nearest).
WARPBOOK_INLINE Vec<double> to_odd(Vec<double> nearest, Vec<double> error) {
  const Vec<int64_t> bits = Vec<int64_t>(nearest);
  const Vec<int64_t> inexact = (error > 0.0) | (error < 0.0);
  const Vec<int64_t> inward = (error > 0.0) ^ (nearest > 0.0);
  const Vec<int64_t> even = (bits & 1) == 0;
  return Vec<double>(bits + ((inward | 1) & inexact & even));
}

/// a + b rounded to odd; exactly zero becomes -0 when rounding down, unless both are +0.
WARPBOOK_INLINE Vec<double> sum_to_odd(Vec<double> a, Vec<double> b, Rounding rounding) {
  const Vec<double> sum = a + b;
  const Vec<double> b_part = sum - a;
  const Vec<double> odd = to_odd(sum, (a - (sum - b_part)) + (b - b_part));
  if (rounding != Rounding::down) return odd;
  const Vec<int64_t> zero = (sum == 0.0) & (Vec<int64_t>(a) | Vec<int64_t>(b));
  return Vec<double>(Vec<int64_t>(odd) | (zero & INT64_MIN));
}

WARPBOOK_INLINE FourFloats round_to_float(Vec<double> value, Rounding rounding) {
  const FourFloats nearest = __builtin_convertvector(value, FourFloats);
  const Vec<double> back = __builtin_convertvector(nearest, Vec<double>);
  Vec<int64_t> high = back > value, low = back < value;
  if (rounding == Rounding::zero) {
    high &= value > 0.0;
    low &= value < 0.0;
  } else if (rounding == Rounding::down) {
    low = Vec<int64_t>{};
  } else {
    high = Vec<int64_t>{};
  }
  // One step up is +1 on the bits of a positive float and -1 on those of a negative one.
  const FourInts bits = FourInts(nearest);
  const FourInts up = (bits >> 31) | 1;
  const FourInts too_high = __builtin_convertvector(high, FourInts),
                 too_low = __builtin_convertvector(low, FourInts);
  return FourFloats(bits - (up & too_high) + (up & too_low));
}

WARPBOOK_INLINE Vec<double> four_of(const float* from, bool ftz) {
  FourFloats values;
  std::memcpy(&values, from, sizeof values);
  if (ftz) {
    const FourInts bits = FourInts(values);
    values = FourFloats((bits & 0x7f800000) == 0 ? bits & INT32_MIN : bits);
  }
  return __builtin_convertvector(values, Vec<double>);
}

/// Math::odd(a, b, c, rounding) on four lanes; rounding in Inst::extra, ftz and sat in Inst::flags.
template <bool Masked, class Math, int Sources>
Step run_directed(Warp& warp, const Inst& inst) {
  float* d = slot<float>(warp, inst.dst);
  const float* a = slot<float>(warp, inst.a);
  const float* b = slot<float>(warp, inst.b);
  const float* c = slot<float>(warp, inst.c);
  const Rounding rounding = Rounding(inst.extra);
  const bool ftz = inst.flags & flag_ftz, sat = inst.flags & flag_sat;
  alignas(32) float results[lanes];
  for (int i = 0; i < lanes; i += 4) {
    const Vec<double> x = four_of(a + i, ftz), y = four_of(b + i, ftz);
    const Vec<double> z = Sources > 2 ? four_of(c + i, ftz) : Vec<double>{};
    const FourFloats four = round_to_float(Math::odd(x, y, z, rounding), rounding);
    std::memcpy(results + i, &four, sizeof four);
  }
  for (int i = 0; i < lanes; i += 8) {
    Vec<float> result = canonical<float>(*reinterpret_cast<const Vec<float>*>(results + i));
    if (ftz) result = flush(result);
    if (sat) result = saturate(result);
    store_lanes<Masked, float>(warp, d, i, result);
  }
  return Step::next;
}

template <class Math, int Sources>
void use_directed(Inst& inst) {
  inst.full = &run_directed<false, Math, Sources>;
  inst.masked = &run_directed<true, Math, Sources>;
}

}  // namespace
}  // namespace warpbook::simt::WARPBOOK_ISA
