// Float arithmetic against the host's own, with its rounding mode set as the instruction says.
#include <cfenv>
#include <cmath>

#include "ops_harness.h"

using namespace warpbook::simt::ops_test;

namespace {

constexpr Type f32 = Type::f32, f64 = Type::f64;

struct Mode {
  const char* name;
  int round;
};
constexpr Mode modes[] = {
    {".rn", FE_TONEAREST}, {".rz", FE_TOWARDZERO}, {".rm", FE_DOWNWARD}, {".rp", FE_UPWARD}};

/// Runs f with the host rounding as asked. The operands are volatile in f, so nothing is computed before.
template <class F>
auto rounded(int mode, F f) {
  std::fesetround(mode);
  volatile auto result = f();
  std::fesetround(FE_TONEAREST);
  return decltype(f())(result);
}

float saturated(float value) { return value > 0 ? (value < 1 ? value : 1.0f) : 0.0f; }

/// One f32 operation with each rounding, .ftz and .sat.
template <class F>
void single(const std::string& opcode, size_t count, F operation, bool has_sat = true,
            bool always_rounds = false) {
  for (const Mode& mode : modes) {
    for (const bool ftz : {false, true}) {
      for (const bool sat : {false, true}) {
        if (sat && !has_sat) continue;
        const std::string name = opcode + mode.name + (ftz ? ".ftz" : "") + (sat ? ".sat" : "") + ".f32";
        const int round = mode.round;
        const Reference reference = [=](Sources a) {
          volatile float in[3] = {};
          for (size_t i = 0; i < a.size(); ++i) in[i] = ftz ? flushed(as_float(a[i])) : as_float(a[i]);
          float result = rounded(round, [&] { return operation(in[0], in[1], in[2]); });
          if (ftz) result = flushed(result);
          return bits_of_float(sat ? saturated(result) : result);
        };
        Check check;
        check.name = name;
        check.result = f32;
        check.sources = std::vector<Type>(count, f32);
        check.reference = reference;
        check.rounds = 60;
        verify(check);
        if (mode.round == FE_TONEAREST && !always_rounds) {
          check.name = opcode + (ftz ? ".ftz" : "") + (sat ? ".sat" : "") + ".f32";
          verify(check);
        }
      }
    }
  }
}

template <class F>
void twofold(const std::string& opcode, size_t count, F operation) {
  for (const Mode& mode : modes) {
    const int round = mode.round;
    Check check;
    check.name = opcode + mode.name + ".f64";
    check.result = f64;
    check.sources = std::vector<Type>(count, f64);
    check.reference = [=](Sources a) {
      volatile double in[3] = {};
      for (size_t i = 0; i < a.size(); ++i) in[i] = as_double(a[i]);
      return bits_of_double(rounded(round, [&] { return operation(in[0], in[1], in[2]); }));
    };
    check.accept = &same_double;
    check.rounds = 120;
    verify(check);
  }
}

/// Ordering of floats in which one step is one unit in the last place.
int64_t place(float value) {
  const int32_t bits = int32_t(bits_of_float(value));
  return bits < 0 ? -int64_t(bits & 0x7fffffff) : bits;
}
/// Within two units in the last place; NaN and infinities exactly.
bool close_float(uint64_t got, uint64_t wanted) {
  const float a = as_float(got), b = as_float(wanted);
  if (a != a || b != b) return uint32_t(got) == uint32_t(wanted);
  return std::llabs(place(a) - place(b)) <= 2 && std::signbit(a) == std::signbit(b);
}

template <class F>
void approximate(const std::string& opcode, F function, Accept accept = &close_float) {
  for (const bool ftz : {false, true}) {
    Check check;
    check.name = opcode + (ftz ? ".ftz.f32" : ".f32");
    check.result = f32;
    check.sources = {f32};
    check.accept = accept;
    check.rounds = 60;
    check.reference = [=](Sources a) {
      const float in = ftz ? flushed(as_float(a[0])) : as_float(a[0]);
      const float out = float(function(double(in)));
      return bits_of_float(ftz ? flushed(out) : out);
    };
    verify(check);
  }
}

template <class T>
T least(T a, T b, bool max) {
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return std::signbit(a) == max ? b : a;
  return (a < b) != max ? a : b;
}

}  // namespace

TEST_CASE("f32 sums, differences, products, fused: every rounding, ftz, sat") {
  single("add", 2, [](float a, float b, float) { return a + b; });
  single("sub", 2, [](float a, float b, float) { return a - b; });
  single("mul", 2, [](float a, float b, float) { return a * b; });
  single(
      "fma", 3, [](float a, float b, float c) { return std::fma(a, b, c); }, true, true);
  single("mad", 3, [](float a, float b, float c) { return std::fma(a, b, c); });
}

TEST_CASE("f64 sums, differences, products, fused: every rounding") {
  twofold("add", 2, [](double a, double b, double) { return a + b; });
  twofold("sub", 2, [](double a, double b, double) { return a - b; });
  twofold("mul", 2, [](double a, double b, double) { return a * b; });
  twofold("fma", 3, [](double a, double b, double c) { return std::fma(a, b, c); });
}

TEST_CASE("quotients, reciprocals and roots: every rounding") {
  single(
      "div", 2, [](float a, float b, float) { return a / b; }, false, true);
  single(
      "rcp", 1, [](float a, float, float) { return 1.0f / a; }, false, true);
  single(
      "sqrt", 1, [](float a, float, float) { return std::sqrt(a); }, false, true);
  twofold("div", 2, [](double a, double b, double) { return a / b; });
  twofold("rcp", 1, [](double a, double, double) { return 1.0 / a; });
  twofold("sqrt", 1, [](double a, double, double) { return std::sqrt(a); });
}

TEST_CASE("a f64 result keeps the payload of a NaN that came in") {
  const uint64_t quiet = 0x0008000000000000;
  verify("sub.f64", f64, {f64, f64}, [=](Sources a) {
    volatile double x = as_double(a[0]), y = as_double(a[1]);
    if (x != x) return a[0] | quiet;
    if (y != y) return a[1] | quiet;
    return bits_of_double(x - y);
  });
}

TEST_CASE("div.approx gives zero for divisors above 2^126, and NaN when the dividend is infinite") {
  for (const bool ftz : {false, true}) {
    Check check;
    check.name = ftz ? "div.approx.ftz.f32" : "div.approx.f32";
    check.result = f32;
    check.sources = {f32, f32};
    check.accept = &close_float;
    check.rounds = 60;
    check.reference = [=](Sources a) {
      const float x = ftz ? flushed(as_float(a[0])) : as_float(a[0]);
      const float y = ftz ? flushed(as_float(a[1])) : as_float(a[1]);
      float result = x / y;
      if (std::fabs(y) > 0x1p126f && std::isfinite(y)) {
        result = x != x          ? x
                 : std::isinf(x) ? NAN
                                 : std::copysign(0.0f, std::signbit(x) == std::signbit(y) ? 1.0f : -1.0f);
      }
      return bits_of_float(ftz ? flushed(result) : result);
    };
    verify(check);
    check.name = ftz ? "div.full.ftz.f32" : "div.full.f32";
    check.reference = [=](Sources a) {
      const float x = ftz ? flushed(as_float(a[0])) : as_float(a[0]);
      const float y = ftz ? flushed(as_float(a[1])) : as_float(a[1]);
      return bits_of_float(ftz ? flushed(x / y) : x / y);
    };
    verify(check);
  }
}

TEST_CASE("approximate functions lie within their bounds") {
  approximate("rcp.approx", [](double a) { return 1 / a; });
  approximate("sqrt.approx", [](double a) { return std::sqrt(a); });
  approximate("rsqrt.approx", [](double a) { return 1 / std::sqrt(a); });
  approximate("ex2.approx", [](double a) { return std::exp2(a); });
  approximate("lg2.approx", [](double a) { return std::log2(a); });
  approximate("sin.approx", [](double a) { return std::sin(a); });
  approximate("cos.approx", [](double a) { return std::cos(a); });
  verify(
      "tanh.approx.f32", f32, {f32},
      [](Sources a) { return bits_of_float(float(std::tanh(double(as_float(a[0]))))); }, &close_float);
}

TEST_CASE("ex2.approx over its whole range, and exact for whole numbers") {
  // Each round of the harness draws its own values; here a sweep through the finite results.
  for (const auto families : instruction_sets()) {
    Frame frame;
    const uint32_t to = frame.add_register(f32), from = frame.add_register(f32);
    auto source = instruction("ex2.approx.f32");
    source.operands = {Frame::operand(to), Frame::operand(from)};
    warpbook::simt::Inst inst;
    REQUIRE(find(families, "ex2")->decode(source, frame, inst));
    warpbook::simt::Warp warp;
    warp.frame = frame.base();
    activate(warp, ~0u);
    for (float start = -152; start < 130; start += 0.32f) {
      for (int lane = 0; lane < 32; ++lane) {
        frame.set(from, lane, bits_of_float(lane == 0 ? std::round(start) : start + 0.01f * float(lane)));
      }
      inst.full(warp, inst);
      for (int lane = 0; lane < 32; ++lane) {
        const double in = double(as_float(frame.get(from, lane)));
        const uint64_t wanted = bits_of_float(float(std::exp2(in)));
        const uint64_t got = frame.get(to, lane);
        if (lane == 0) {
          REQUIRE(got == wanted);
        } else {
          REQUIRE(close_float(got, wanted));
        }
      }
    }
  }
}

TEST_CASE("rcp and rsqrt of f64: the approximate forms give 32 bits, rsqrt.approx.f64 all") {
  const auto upper = [](double a, double value) {
    const auto flush = [](double x) { return std::fabs(x) < 0x1p-1022 ? std::copysign(0.0, x) : x; };
    (void)a;
    return bits_of_double(flush(value)) & 0xffffffff00000000u;
  };
  const auto flush = [](double x) { return std::fabs(x) < 0x1p-1022 ? std::copysign(0.0, x) : x; };
  verify(
      "rcp.approx.ftz.f64", f64, {f64},
      [=](Sources a) { return upper(as_double(a[0]), 1 / flush(as_double(a[0]))); }, &same_double);
  verify(
      "rsqrt.approx.ftz.f64", f64, {f64},
      [=](Sources a) { return upper(as_double(a[0]), 1 / std::sqrt(flush(as_double(a[0])))); }, &same_double);
  verify(
      "rsqrt.approx.f64", f64, {f64},
      [](Sources a) { return bits_of_double(1 / std::sqrt(as_double(a[0]))); }, &same_double);
}

TEST_CASE("min and max: NaN loses, minus zero is less") {
  for (const bool max : {false, true}) {
    const std::string name = max ? "max" : "min";
    for (const bool ftz : {false, true}) {
      verify(name + (ftz ? ".ftz.f32" : ".f32"), f32, {f32, f32}, [=](Sources a) {
        const float x = ftz ? flushed(as_float(a[0])) : as_float(a[0]);
        const float y = ftz ? flushed(as_float(a[1])) : as_float(a[1]);
        return bits_of_float(least(x, y, max));
      });
      verify(name + (ftz ? ".ftz.NaN.f32" : ".NaN.f32"), f32, {f32, f32}, [=](Sources a) {
        const float x = ftz ? flushed(as_float(a[0])) : as_float(a[0]);
        const float y = ftz ? flushed(as_float(a[1])) : as_float(a[1]);
        return bits_of_float(x != x || y != y ? NAN : least(x, y, max));
      });
    }
    verify(name + ".xorsign.abs.f32", f32, {f32, f32}, [=](Sources a) {
      const float x = as_float(a[0]), y = as_float(a[1]);
      const float size = least(std::fabs(x), std::fabs(y), max);
      return bits_of_float(std::copysign(size, std::signbit(x) != std::signbit(y) ? -1.0f : 1.0f));
    });
    verify(
        name + ".f64", f64, {f64, f64},
        [=](Sources a) { return bits_of_double(least(as_double(a[0]), as_double(a[1]), max)); },
        &same_double);
  }
}

TEST_CASE("neg, abs and copysign touch the sign alone; ftz flushes") {
  const auto flush_bits = [](uint64_t a, bool ftz) {
    return ftz && (a & 0x7f800000) == 0 ? a & 0x80000000 : a;
  };
  for (const bool ftz : {false, true}) {
    const std::string s = ftz ? ".ftz.f32" : ".f32";
    verify("neg" + s, f32, {f32}, [=](Sources a) { return flush_bits(a[0], ftz) ^ 0x80000000; });
    verify("abs" + s, f32, {f32}, [=](Sources a) { return flush_bits(a[0], ftz) & 0x7fffffff; });
  }
  verify("neg.f64", f64, {f64}, [](Sources a) { return a[0] ^ 0x8000000000000000; });
  verify("abs.f64", f64, {f64}, [](Sources a) { return a[0] & 0x7fffffffffffffff; });
  verify("copysign.f32", f32, {f32, f32},
         [](Sources a) { return (a[1] & 0x7fffffff) | (a[0] & 0x80000000); });
  verify("copysign.f64", f64, {f64, f64},
         [](Sources a) { return (a[1] & 0x7fffffffffffffff) | (a[0] & 0x8000000000000000); });
}

TEST_CASE("testp tells the classes apart") {
  const std::pair<const char*, bool (*)(double, int)> classes[] = {
      {"finite", [](double, int c) { return c != FP_NAN && c != FP_INFINITE; }},
      {"infinite", [](double, int c) { return c == FP_INFINITE; }},
      {"number", [](double, int c) { return c != FP_NAN; }},
      {"notanumber", [](double, int c) { return c == FP_NAN; }},
      {"normal", [](double, int c) { return c == FP_NORMAL; }},
      {"subnormal", [](double, int c) { return c == FP_SUBNORMAL; }}};
  for (const auto& [name, is] : classes) {
    const auto test = is;
    verify(std::string("testp.") + name + ".f32", Type::pred, {f32},
           [=](Sources a) { return uint64_t(test(0, std::fpclassify(as_float(a[0])))); });
    verify(std::string("testp.") + name + ".f64", Type::pred, {f64},
           [=](Sources a) { return uint64_t(test(0, std::fpclassify(as_double(a[0])))); });
  }
}

TEST_CASE("float forms that PTX does not have are refused") {
  CHECK_FALSE(decodes("add.ftz.f64", f64, {f64, f64}));
  CHECK_FALSE(decodes("fma.rn.f32", f32, {f32, f32}));
  CHECK_FALSE(decodes("sin.f32", f32, {f32}));
  CHECK_FALSE(decodes("sqrt.approx.f64", f64, {f64}));
  CHECK_FALSE(decodes("lg2.approx.f64", f64, {f64}));
}
