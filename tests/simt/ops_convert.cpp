// cvt: every pair of types against a reference that rounds with the host's mode, or by 128-bit integers.
#include <cfenv>
#include <cmath>
#include <limits>

#include "ops_harness.h"

using namespace warpbook::simt::ops_test;
namespace ptx = warpbook::ptx;

namespace {

using i128 = __int128;

struct Kind {
  const char* name;
  Type type;
  int bits;
  bool is_signed;
};
const Kind integers[] = {{"u8", Type::u8, 8, false},    {"s8", Type::s8, 8, true},
                         {"u16", Type::u16, 16, false}, {"s16", Type::s16, 16, true},
                         {"u32", Type::u32, 32, false}, {"s32", Type::s32, 32, true},
                         {"u64", Type::u64, 64, false}, {"s64", Type::s64, 64, true}};
const Kind floats[] = {{"f16", Type::f16, 16, true},
                       {"bf16", Type::bf16, 16, true},
                       {"f32", Type::f32, 32, true},
                       {"f64", Type::f64, 64, true}};

/// The register that NVRTC would use for a type: 8-bit values live in 16-bit registers.
Type register_of(Type type) { return ptx::bits_of(type) == 8 ? Type::b16 : type; }

i128 integer_value(uint64_t bits, const Kind& kind) {
  const i128 value = low_bits(bits, kind.type);
  return kind.is_signed && (value >> (kind.bits - 1)) ? value - (i128(1) << kind.bits) : value;
}
i128 lowest(const Kind& kind) { return kind.is_signed ? -(i128(1) << (kind.bits - 1)) : 0; }
i128 highest(const Kind& kind) { return (i128(1) << (kind.is_signed ? kind.bits - 1 : kind.bits)) - 1; }

double half_value(uint64_t bits) {
  const int exponent = int(bits >> 10 & 31), fraction = int(bits & 0x3ff);
  const double size = exponent == 31 ? (fraction ? NAN : INFINITY)
                      : exponent     ? std::ldexp(1024 + fraction, exponent - 25)
                                     : std::ldexp(fraction, -24);
  return bits & 0x8000 ? -size : size;
}
double float_value(uint64_t bits, const Kind& kind) {
  switch (kind.type) {
    case Type::f16: return half_value(bits);
    case Type::bf16: return double(as_float((bits & 0xffff) << 16));
    case Type::f32: return double(as_float(bits));
    default: return as_double(bits);
  }
}

/// A double (or an integer, exactly) rounded to a narrow format by looking at its neighbours there.
template <class Value>
uint64_t to_narrow(Value value, bool brain, int mode) {
  const auto of = [brain](uint64_t bits) { return brain ? double(as_float(bits << 16)) : half_value(bits); };
  const uint64_t infinity = brain ? 0x7f80 : 0x7c00;
  const bool is_negative = value < 0 || (value == 0 && std::signbit(double(value)));
  const auto size = is_negative ? -value : value;
  if (size != size) return 0x7fff;
  if (std::isinf(double(size)) && size > of(infinity - 1)) {
    if (!std::is_integral_v<Value>) return infinity | (is_negative ? 0x8000 : 0);
  }
  uint64_t below = 0;  // the largest finite value not above size: by halves
  for (uint64_t step = 0x4000; step; step >>= 1) {
    if (below + step < infinity && (long double)(of(below + step)) <= (long double)(size)) below += step;
  }
  const long double low = of(below), exact = (long double)(size);
  const bool last = below == infinity - 1;
  // What would come after the largest finite value, without overflow.
  const long double high = last ? 2 * low - (long double)(of(below - 1)) : (long double)(of(below + 1));
  uint64_t result = below;
  if (exact != low) {
    bool up = false;
    switch (mode) {
      case FE_TONEAREST:
        up = exact - low > high - exact || (exact - low == high - exact && (below & 1));
        break;
      case FE_UPWARD: up = !is_negative; break;
      case FE_DOWNWARD: up = is_negative; break;
      default: break;
    }
    result += up;
  }
  return result | (is_negative ? 0x8000 : 0);
}

struct Mode {
  const char* name;
  int round;
};
constexpr Mode modes[] = {
    {".rn", FE_TONEAREST}, {".rz", FE_TOWARDZERO}, {".rm", FE_DOWNWARD}, {".rp", FE_UPWARD}};
constexpr Mode integral[] = {
    {".rni", FE_TONEAREST}, {".rzi", FE_TOWARDZERO}, {".rmi", FE_DOWNWARD}, {".rpi", FE_UPWARD}};

template <class To, class From>
To rounded(From value, int mode) {
  if (value == From(0) && std::is_integral_v<From>) return To(0);  // Clang's downward sum of halves gives -0
  volatile From in = value;
  std::fesetround(mode);
  volatile To out = To(in);
  std::fesetround(FE_TONEAREST);
  return out;
}
double to_whole(double value, int mode) {
  volatile double in = value;
  std::fesetround(mode);
  volatile double out = std::nearbyint(in);
  std::fesetround(FE_TONEAREST);
  return out;
}

uint64_t to_float(double value, const Kind& to, int mode) {
  switch (to.type) {
    case Type::f16: return to_narrow(value, false, mode);
    case Type::bf16: return to_narrow(value, true, mode);
    case Type::f32: return bits_of_float(rounded<float>(value, mode));
    default: return bits_of_double(value);
  }
}

bool equal_or_nan(uint64_t got, uint64_t wanted) { return same_double(got, wanted); }

void check_conversion(const std::string& name, Type result, Type from, Reference reference,
                      Type wide_result = Type::none, Accept accept = nullptr) {
  Check check;
  check.name = name;
  check.result = result;
  check.sources = {from};
  check.reference = std::move(reference);
  check.result_register = wide_result;
  check.accept = accept;
  check.rounds = 16;
  verify(check);
}

}  // namespace

TEST_CASE("cvt between integers extends, cuts and saturates, also in wider registers") {
  for (const Kind& from : integers) {
    for (const Kind& to : integers) {
      for (const Type source : {Type::b16, Type::b32, Type::b64}) {
        if (ptx::bits_of(source) < from.bits) continue;
        for (const Type target : {Type::b16, Type::b32, Type::b64}) {
          if (ptx::bits_of(target) < to.bits) continue;
          const std::string types = std::string(".") + to.name + "." + from.name;
          check_conversion("cvt" + types, target, source, [=, f = from, t = to](Sources a) {
            return uint64_t(integer_value(uint64_t(integer_value(a[0], f)), t));
          });
          check_conversion("cvt.sat" + types, target, source, [=, f = from, t = to](Sources a) {
            return uint64_t(std::min(std::max(integer_value(a[0], f), lowest(t)), highest(t)));
          });
        }
      }
    }
  }
}

TEST_CASE("cvt from integers to floats rounds once") {
  for (const Kind& from : integers) {
    for (const Mode& mode : modes) {
      const int round = mode.round;
      const std::string head = std::string("cvt") + mode.name;
      check_conversion(head + ".f32." + from.name, Type::f32, register_of(from.type),
                       [=, f = from](Sources a) {
                         const i128 value = integer_value(a[0], f);
                         return bits_of_float(f.is_signed ? rounded<float>(int64_t(value), round)
                                                          : rounded<float>(uint64_t(value), round));
                       });
      check_conversion(head + ".f64." + from.name, Type::f64, register_of(from.type),
                       [=, f = from](Sources a) {
                         const i128 value = integer_value(a[0], f);
                         return bits_of_double(f.is_signed ? rounded<double>(int64_t(value), round)
                                                           : rounded<double>(uint64_t(value), round));
                       });
      check_conversion(head + ".f16." + from.name, Type::f16, register_of(from.type),
                       [=, f = from](Sources a) {
                         return to_narrow((long double)(integer_value(a[0], f)), false, round);
                       });
    }
  }
}

TEST_CASE("cvt from floats to integers saturates; NaN as the ISA says") {
  for (const Kind& from : floats) {
    for (const Kind& to : integers) {
      for (const Mode& mode : integral) {
        for (const bool ftz : {false, true}) {
          if (ftz && from.type != Type::f32) continue;
          const int round = mode.round;
          const std::string name =
              std::string("cvt") + mode.name + (ftz ? ".ftz." : ".") + to.name + "." + from.name;
          check_conversion(name, register_of(to.type), from.type, [=, f = from, t = to](Sources a) {
            double value = float_value(a[0], f);
            if (ftz && std::fabs(value) < 0x1p-126) value = 0;
            if (value != value) {
              return f.type != Type::f64 && t.bits != 64
                         ? uint64_t(0)
                         : uint64_t(integer_value(uint64_t(1) << (t.bits - 1), t));
            }
            const double whole = to_whole(value, round);
            if (whole >= double(highest(t))) {
              // highest(t) may have been rounded up to a power of two: the power itself does not fit.
              return whole > 1e18 || i128(whole) > highest(t) ? uint64_t(highest(t)) : uint64_t(i128(whole));
            }
            return whole <= double(lowest(t)) ? uint64_t(lowest(t)) : uint64_t(i128(whole));
          });
        }
      }
    }
  }
}

TEST_CASE("cvt between floats") {
  for (const Kind& from : floats) {
    for (const Kind& to : floats) {
      if (from.type == to.type) continue;
      if (to.type == Type::f64 || (to.type == Type::f32 && from.type != Type::f64)) {  // exact
        check_conversion(
            std::string("cvt.") + to.name + "." + from.name, to.type, from.type,
            [=, f = from, t = to](Sources a) { return to_float(float_value(a[0], f), t, FE_TONEAREST); },
            Type::none, to.type == Type::f64 ? &equal_or_nan : nullptr);
        continue;
      }
      for (const Mode& mode : modes) {
        const int round = mode.round;
        check_conversion(
            std::string("cvt") + mode.name + "." + to.name + "." + from.name, to.type, from.type,
            [=, f = from, t = to](Sources a) { return to_float(float_value(a[0], f), t, round); });
      }
    }
  }
  for (const Mode& mode : modes) {
    const int round = mode.round;
    check_conversion(std::string("cvt") + mode.name + ".ftz.f32.f64", Type::f32, Type::f64, [=](Sources a) {
      return bits_of_float(flushed(rounded<float>(as_double(a[0]), round)));
    });
  }
  check_conversion(
      "cvt.ftz.f64.f32", Type::f64, Type::f32,
      [](Sources a) { return bits_of_double(double(flushed(as_float(a[0])))); }, Type::none, &equal_or_nan);
}

TEST_CASE("cvt to a whole number of the same type, and .sat") {
  for (const Mode& mode : integral) {
    const int round = mode.round;
    for (const bool ftz : {false, true}) {
      check_conversion(std::string("cvt") + mode.name + (ftz ? ".ftz.f32.f32" : ".f32.f32"), Type::f32,
                       Type::f32, [=](Sources a) {
                         const float in = ftz ? flushed(as_float(a[0])) : as_float(a[0]);
                         return bits_of_float(float(to_whole(double(in), round)));
                       });
    }
    check_conversion(
        std::string("cvt") + mode.name + ".f64.f64", Type::f64, Type::f64,
        [=](Sources a) { return bits_of_double(to_whole(as_double(a[0]), round)); }, Type::none,
        &equal_or_nan);
    check_conversion(std::string("cvt") + mode.name + ".f16.f16", Type::f16, Type::f16, [=](Sources a) {
      return to_narrow(to_whole(half_value(a[0]), round), false, FE_TONEAREST);
    });
  }
  const auto unit = [](double value) { return value > 0 ? (value < 1 ? value : 1.0) : 0.0; };
  check_conversion("cvt.sat.f32.f32", Type::f32, Type::f32,
                   [=](Sources a) { return bits_of_float(float(unit(double(as_float(a[0]))))); });
  check_conversion("cvt.sat.f64.f64", Type::f64, Type::f64,
                   [=](Sources a) { return bits_of_double(unit(as_double(a[0]))); });
  check_conversion("cvt.rn.sat.f32.f64", Type::f32, Type::f64,
                   [=](Sources a) { return bits_of_float(float(unit(as_double(a[0])))); });
}

TEST_CASE("cvt of two f32 into a packed pair") {
  for (const bool brain : {false, true}) {
    for (const bool relu : {false, true}) {
      for (const Mode& mode : {modes[0], modes[1]}) {
        const int round = mode.round;
        const std::string name =
            std::string("cvt") + mode.name + (relu ? ".relu" : "") + (brain ? ".bf16x2" : ".f16x2") + ".f32";
        verify(name, brain ? Type::bf16x2 : Type::f16x2, {Type::f32, Type::f32}, [=](Sources a) {
          uint64_t half[2];
          for (size_t i = 0; i < 2; ++i) {
            float value = as_float(a[i]);
            if (relu && value < 0) value = 0;
            half[i] = to_narrow(double(value), brain, round);
          }
          return half[0] << 16 | half[1];
        });
      }
    }
  }
}

TEST_CASE("conversions that are not known are refused") {
  CHECK_FALSE(decodes("cvt.s32.f32", Type::s32, {Type::f32}));
  CHECK_FALSE(decodes("cvt.rna.satfinite.tf32.f32", Type::b32, {Type::f32}));
  CHECK_FALSE(decodes("cvt.rn.e4m3x2.f32", Type::b16, {Type::f32, Type::f32}));
  CHECK_FALSE(decodes("cvt.rn.satfinite.e2m3x2.f32", Type::b16, {Type::f32, Type::f32}));
}
