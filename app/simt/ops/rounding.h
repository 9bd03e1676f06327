#pragma once
// Exact results rounded in each of PTX's ways, without touching the host's rounding mode. f32 works through
// doubles that are "rounded to odd": when a result is inexact its last bit is made 1, so that a second
// rounding to fewer bits sees exactly on which side of every boundary the true value lies. f64 and the narrow
// formats round an integer significand.
#include "simt/ops/handlers.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

WARPBOOK_INLINE bool negative(double value) { return bits_as<int64_t>(value) < 0; }

// f32 through doubles.

/// `nearest` is a double next to the exact value and `error` has the sign of (exact - nearest).
WARPBOOK_INLINE double to_odd(double nearest, double error) {
  const int64_t bits = bits_as<int64_t>(nearest);
  const int64_t outward = (error > 0) == (nearest > 0) ? 1 : -1;
  const bool inexact = error > 0 || error < 0;
  return bits_as<double>(bits + (inexact && (bits & 1) == 0 ? outward : 0));
}

/// a + b rounded to odd; the error of a double sum is a double (Knuth's two-sum).
WARPBOOK_INLINE double sum_to_odd(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  const double error = (a - (sum - b_part)) + (b - b_part);
  return to_odd(sum, error);
}

WARPBOOK_INLINE float round_to_float(double value, Rounding rounding) {
  const float nearest = float(value);
  const double back = double(nearest);
  const bool cut_high = rounding == Rounding::down || (rounding == Rounding::zero && value > 0);
  const bool cut_low = rounding == Rounding::up || (rounding == Rounding::zero && value < 0);
  const int32_t bits = bits_as<int32_t>(nearest);
  const int32_t outward_is_up = bits < 0 ? -1 : 1;
  int32_t step = 0;
  step = cut_high && back > value ? -outward_is_up : step;
  step = cut_low && back < value ? outward_is_up : step;
  return bits_as<float>(bits + step);
}

/// The zero that a + b gives when it is exactly zero: rounding down prefers -0 (IEEE 754, 6.3).
WARPBOOK_INLINE double directed_zero(double sum, double a, double b, Rounding rounding) {
  return sum == 0 && rounding == Rounding::down && (negative(a) || negative(b)) ? -0.0 : sum;
}

// Any format from an integer significand.

template <int Precision, int MinExponent, int TotalBits>
struct Format {
  static constexpr int precision = Precision;       ///< bits of the significand, the hidden one included
  static constexpr int min_exponent = MinExponent;  ///< of the smallest normal number
  static constexpr uint64_t infinity = ((uint64_t(1) << (TotalBits - Precision)) - 1) << (Precision - 1);
  static constexpr uint64_t sign = uint64_t(1) << (TotalBits - 1);
};
using Double = Format<53, -1022, 64>;
using Single = Format<24, -126, 32>;
using Half = Format<11, -14, 16>;
using Brain = Format<8, -126, 16>;

WARPBOOK_INLINE int top_bit(uint64_t value) { return 63 - __builtin_clzll(value); }
WARPBOOK_INLINE int top_bit(unsigned __int128 value) {
  const uint64_t high = uint64_t(value >> 64);
  return high ? 64 + top_bit(high) : top_bit(uint64_t(value));
}

/// Bits of significand * 2^exponent (significand not 0) in a format. A lowest bit that stands for "and
/// something more" is fine as long as the significand has two bits more than the precision.
template <class F, class Significand>
uint64_t round_to(bool is_negative, Significand significand, int exponent, Rounding rounding) {
  constexpr int width = int(sizeof(Significand)) * 8;
  int shift = top_bit(significand) - (F::precision - 1);
  if (exponent + shift < F::min_exponent - (F::precision - 1)) {
    shift = F::min_exponent - (F::precision - 1) - exponent;
  }
  uint64_t kept;
  bool up = false;
  if (shift <= 0) {
    kept = uint64_t(significand) << -shift;
  } else {
    const bool gone = shift >= width;
    kept = gone ? 0 : uint64_t(significand >> shift);
    const Significand rest = gone ? significand : significand & ((Significand(1) << shift) - 1);
    switch (rounding) {
      case Rounding::nearest:
        if (shift <= width) {
          const Significand half = Significand(1) << (shift - 1);
          up = rest > half || (rest == half && (kept & 1));
        }
        break;
      case Rounding::zero: break;
      case Rounding::down: up = is_negative && rest != 0; break;
      case Rounding::up: up = !is_negative && rest != 0; break;
    }
  }
  // The hidden bit of `kept` adds one to the exponent field; a carry out of the significand does too.
  const int field = exponent + shift - (F::min_exponent - (F::precision - 1));
  uint64_t bits = (uint64_t(field) << (F::precision - 1)) + kept + up;
  if (uint64_t(field) >= F::infinity >> (F::precision - 1) || bits >= F::infinity) {
    const bool to_infinity = rounding == Rounding::nearest || (rounding == Rounding::down && is_negative) ||
                             (rounding == Rounding::up && !is_negative);
    bits = to_infinity ? F::infinity : F::infinity - 1;
  }
  return bits | (is_negative ? F::sign : 0);
}

/// |value| = significand * 2^exponent, for finite values that are not zero.
struct Unpacked {
  uint64_t significand;
  int exponent;
};
WARPBOOK_INLINE Unpacked unpack(double value) {
  const uint64_t bits = bits_as<uint64_t>(value);
  const uint64_t fraction = bits & ((uint64_t(1) << 52) - 1);
  const int field = int(bits >> 52 & 0x7ff);
  return field == 0 ? Unpacked{fraction, -1074} : Unpacked{fraction | uint64_t(1) << 52, field - 1075};
}
WARPBOOK_INLINE bool finite(double value) { return __builtin_fabs(value) <= __DBL_MAX__; }

/// Bits of a double in a narrower format; NaN is the format's canonical one (all ones but the sign).
template <class F>
uint64_t narrowed(double value, Rounding rounding) {
  if (value != value) return F::sign - 1;
  const uint64_t sign = negative(value) ? F::sign : 0;
  if (!finite(value)) return F::infinity | sign;
  if (value == 0) return sign;
  const Unpacked parts = unpack(value);
  return round_to<F>(sign != 0, parts.significand, parts.exponent, rounding);
}
/// A narrow format's value, exactly. NaN comes back as NaN.
template <class F>
double widened(uint32_t bits) {
  const uint64_t magnitude = bits & (F::sign - 1);
  const bool is_negative = bits & F::sign;
  double value;
  if (magnitude > F::infinity) {
    value = __builtin_nan("");
  } else if (magnitude == F::infinity) {
    value = __builtin_inf();
  } else {
    const int field = int(magnitude >> (F::precision - 1));
    const uint64_t fraction = magnitude & ((uint64_t(1) << (F::precision - 1)) - 1);
    const uint64_t significand = field ? fraction | uint64_t(1) << (F::precision - 1) : fraction;
    const int exponent = (field ? field : 1) + F::min_exponent - 1 - (F::precision - 1);
    // 2^exponent is a normal double for every narrow format.
    value = double(int64_t(significand)) * bits_as<double>(uint64_t(exponent + 1023) << 52);
  }
  return is_negative ? -value : value;
}

// f64, directed.

/// a * b + c.
inline double fused_directed(double a, double b, double c, Rounding rounding) {
  if (rounding == Rounding::nearest || !finite(a) || !finite(b) || !finite(c)) return __builtin_fma(a, b, c);
  using Wide = unsigned __int128;
  const bool product_negative = negative(a) != negative(b);
  if (a == 0 || b == 0) {
    if (c != 0) return c;
    if (product_negative == negative(c)) return c;
    return rounding == Rounding::down ? -0.0 : 0.0;
  }
  const Unpacked x = unpack(a), y = unpack(b);
  Wide product = Wide(x.significand) * y.significand;
  int exponent = x.exponent + y.exponent;
  if (c == 0) return bits_as<double>(round_to<Double>(product_negative, product, exponent, rounding));
  // Both terms with their top bit at 125: room for a carry, and the product's 106 bits keep 20 zeros below
  // them.
  const Unpacked z = unpack(c);
  Wide term = z.significand;
  int term_exponent = z.exponent;
  const int product_shift = 125 - top_bit(product), term_shift = 125 - top_bit(term);
  product <<= product_shift;
  exponent -= product_shift;
  term <<= term_shift;
  term_exponent -= term_shift;
  const auto lower = [](Wide& value, int by) {  // keeps a trace of what is shifted out in the last bit
    if (by >= 127) {
      value = 1;
    } else {
      const bool lost = (value & ((Wide(1) << by) - 1)) != 0;
      value = (value >> by) | (lost ? 1 : 0);
    }
  };
  if (exponent > term_exponent) {
    lower(term, exponent - term_exponent);
  } else if (term_exponent > exponent) {
    lower(product, term_exponent - exponent);
    exponent = term_exponent;
  }
  bool is_negative = product_negative;
  Wide sum;
  if (product_negative == negative(c)) {
    sum = product + term;
  } else if (product >= term) {
    sum = product - term;
  } else {
    sum = term - product;
    is_negative = !product_negative;
  }
  if (sum == 0) return rounding == Rounding::down ? -0.0 : 0.0;
  return bits_as<double>(round_to<Double>(is_negative, sum, exponent, rounding));
}
inline double sum_directed(double a, double b, Rounding rounding) {
  if (!finite(a) || !finite(b)) return a + b;
  return fused_directed(a, 1.0, b, rounding);
}
inline double product_directed(double a, double b, Rounding rounding) {
  if (!finite(a) || !finite(b)) return a * b;
  return fused_directed(a, b, negative(a) != negative(b) ? -0.0 : 0.0, rounding);
}
inline double quotient_directed(double a, double b, Rounding rounding) {
  if (!finite(a) || !finite(b) || a == 0 || b == 0) return a / b;
  using Wide = unsigned __int128;
  const Unpacked x = unpack(a), y = unpack(b);
  const int shift = 126 - top_bit(x.significand);
  const Wide numerator = Wide(x.significand) << shift;
  const Wide whole = numerator / y.significand;
  const Wide sticky = whole * y.significand != numerator ? 1 : 0;
  return bits_as<double>(round_to<Double>(negative(a) != negative(b), whole | sticky,
                                          x.exponent - shift - y.exponent, rounding));
}
inline double root_directed(double a, Rounding rounding) {
  const double nearest = __builtin_sqrt(a);
  if (!(a > 0) || !finite(a)) return nearest;
  // Scaled by an even power of two so that the residual does not underflow.
  const double scale = a < 0x1p-900 ? 0x1p108 : 1.0, root_scale = a < 0x1p-900 ? 0x1p54 : 1.0;
  const double root = nearest * root_scale;
  const double rest = __builtin_fma(-root, root, a * scale);
  const int64_t bits = bits_as<int64_t>(nearest);
  if (rest > 0 && rounding == Rounding::up) return bits_as<double>(bits + 1);
  if (rest < 0 && (rounding == Rounding::down || rounding == Rounding::zero))
    return bits_as<double>(bits - 1);
  return nearest;
}

}  // namespace
}  // namespace warpbook::simt::WARPBOOK_ISA
