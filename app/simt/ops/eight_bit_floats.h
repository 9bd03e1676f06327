#pragma once
// Floats of 8 bits (Open Compute Project, "OCP 8-bit floating point"): e4m3 has no infinity, and NaN is all
// ones; e5m2 is the upper half of f16.
#include "simt/ops/rounding.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

inline double widened_e4m3(uint32_t bits) {
  const uint32_t magnitude = bits & 0x7f;
  if (magnitude == 0x7f) return __builtin_nan("");
  const int field = int(magnitude >> 3);
  const int significand = int(magnitude & 7) | (field ? 8 : 0);
  const double value = significand * bits_as<double>(uint64_t((field ? field : 1) - 10 + 1023) << 52);
  return bits & 0x80 ? -value : value;
}
inline double widened_e5m2(uint32_t bits) { return widened<Half>(bits << 8); }

/// Rounded to nearest even; what is too large becomes the largest number (.satfinite).
inline uint32_t narrowed_e4m3(double value) {
  if (value != value) return 0x7f;
  const uint32_t sign = negative(value) ? 0x80 : 0;
  const double size = __builtin_fabs(value);
  if (size >= 256) {  // beyond the exponents of the format: its highest holds numbers here
    const double steps = size < 464 ? __builtin_rint((size - 256) / 32) : 6;
    return sign | (0x78 + uint32_t(steps > 6 ? 6 : steps));
  }
  using E4m3 = Format<4, -6, 8>;
  return uint32_t(narrowed<E4m3>(value, Rounding::nearest));
}
inline uint32_t narrowed_e5m2(double value) {
  using E5m2 = Format<3, -14, 8>;
  const uint32_t bits = uint32_t(narrowed<E5m2>(value, Rounding::nearest));
  return (bits & 0x7f) == 0x7c ? (bits & 0x80) | 0x7b : bits;
}

}  // namespace
}  // namespace warpbook::simt::WARPBOOK_ISA
