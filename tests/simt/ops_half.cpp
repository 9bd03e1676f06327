// f16 and bf16 arithmetic against long double, rounded to the narrow format by looking at its neighbours.
#include <cmath>

#include "ops_harness.h"

using namespace warpbook::simt::ops_test;

namespace {

struct Kind {
  const char* name;
  Type type;
  bool brain;
};
const Kind kinds[] = {{"f16", Type::f16, false}, {"bf16", Type::bf16, true}};

double value_of(uint64_t bits, bool brain) {
  bits &= 0xffff;
  if (brain) return double(as_float(bits << 16));
  const int exponent = int(bits >> 10 & 31), fraction = int(bits & 0x3ff);
  const double size = exponent == 31 ? (fraction ? NAN : INFINITY)
                      : exponent     ? std::ldexp(1024 + fraction, exponent - 25)
                                     : std::ldexp(fraction, -24);
  return bits & 0x8000 ? -size : size;
}

/// high + low (low far below high's last place) rounded to nearest even.
uint64_t nearest(double high, double low, bool brain) {
  if (high != high) return 0x7fff;
  const uint64_t infinity = brain ? 0x7f80 : 0x7c00;
  const uint64_t sign = std::signbit(high) ? 0x8000 : 0;
  if (sign) {
    high = -high;
    low = -low;
  }
  if (std::isinf(high)) return infinity | sign;
  uint64_t below = 0;
  for (uint64_t step = 0x4000; step; step >>= 1) {
    const double at = value_of(below + step, brain);
    if (below + step < infinity && (at < high || (at == high && low >= 0))) below += step;
  }
  const double a = value_of(below, brain);
  const double b = below == infinity - 1 ? 2 * a - value_of(below - 1, brain) : value_of(below + 1, brain);
  const double middle = a + (b - a) / 2;  // exact: one bit more than the format
  const bool up = high > middle || (high == middle && (low > 0 || (low == 0 && (below & 1))));
  return (below + up) | sign;
}
/// a + b as a double and what it lost.
uint64_t sum(double a, double b, bool brain) {
  volatile double high = a + b;
  volatile double part = high - a;
  volatile double low = (a - (high - part)) + (b - part);
  return nearest(high, std::isfinite(high) ? double(low) : 0.0, brain);
}

uint64_t flush16(uint64_t a) { return (a & 0x7c00) == 0 ? a & 0x8000 : a & 0xffff; }

template <class Operation>
void both_and_packed(const std::string& head, size_t count, const Kind& kind, Operation operation) {
  verify(head + "." + kind.name, kind.type, std::vector<Type>(count, kind.type),
         [=](Sources a) { return operation(a); });
  verify(head + "." + kind.name + "x2", Type::b32, std::vector<Type>(count, Type::b32), [=](Sources a) {
    std::vector<uint64_t> low, high;
    for (const uint64_t value : a) {
      low.push_back(value & 0xffff);
      high.push_back(value >> 16 & 0xffff);
    }
    return operation(Sources(high)) << 16 | operation(Sources(low));
  });
}

}  // namespace

TEST_CASE("f16 and bf16: add, sub, mul, fma round once") {
  for (const Kind& kind : kinds) {
    const bool b = kind.brain;
    both_and_packed("add.rn", 2, kind,
                    [=](Sources a) { return sum(value_of(a[0], b), value_of(a[1], b), b); });
    both_and_packed("sub.rn", 2, kind,
                    [=](Sources a) { return sum(value_of(a[0], b), -value_of(a[1], b), b); });
    both_and_packed("mul.rn", 2, kind,
                    [=](Sources a) { return nearest(value_of(a[0], b) * value_of(a[1], b), 0, b); });
    both_and_packed("fma.rn", 3, kind, [=](Sources a) {
      return sum(value_of(a[0], b) * value_of(a[1], b), value_of(a[2], b), b);
    });
    both_and_packed("fma.rn.relu", 3, kind, [=](Sources a) {
      const uint64_t result = sum(value_of(a[0], b) * value_of(a[1], b), value_of(a[2], b), b);
      return result != 0x7fff && (result & 0x8000) ? uint64_t(0) : result;
    });
  }
}

TEST_CASE("f16: ftz and sat") {
  const Kind f16 = kinds[0];
  both_and_packed("add.ftz", 2, f16, [](Sources a) {
    return flush16(sum(value_of(flush16(a[0]), false), value_of(flush16(a[1]), false), false));
  });
  both_and_packed("mul.sat", 2, f16, [](Sources a) {
    const double value = value_of(a[0], false) * value_of(a[1], false);
    return nearest(value > 0 ? std::min(value, 1.0) : 0.0, 0, false);
  });
}

TEST_CASE("f16 and bf16: neg, abs, min, max") {
  for (const Kind& kind : kinds) {
    const bool b = kind.brain;
    both_and_packed("neg", 1, kind, [](Sources a) { return (a[0] & 0xffff) ^ 0x8000; });
    both_and_packed("abs", 1, kind, [](Sources a) { return a[0] & 0x7fff; });
    for (const bool max : {false, true}) {
      for (const bool nan_wins : {false, true}) {
        both_and_packed(std::string(max ? "max" : "min") + (nan_wins ? ".NaN" : ""), 2, kind, [=](Sources a) {
          const uint64_t i = a[0] & 0xffff, j = a[1] & 0xffff;
          const double x = value_of(i, b), y = value_of(j, b);
          if (x != x || y != y) {
            if (nan_wins || (x != x && y != y)) return uint64_t(0x7fff);
            return x != x ? j : i;
          }
          if (x == y) return std::signbit(x) == max ? j : i;
          return (x < y) != max ? i : j;
        });
      }
    }
  }
}

TEST_CASE("f16 and bf16: ex2 and tanh") {
  for (const Kind& kind : kinds) {
    const bool b = kind.brain;
    const std::string ftz = b ? ".ftz" : "";
    both_and_packed("ex2.approx" + ftz, 1, kind, [=](Sources a) {
      const uint64_t in = b && (a[0] & 0x7f80) == 0 ? a[0] & 0x8000 : a[0];
      const uint64_t result = nearest(std::exp2(value_of(in, b)), 0, b);
      return b && (result & 0x7f80) == 0 ? result & 0x8000 : result;
    });
    both_and_packed("tanh.approx", 1, kind,
                    [=](Sources a) { return nearest(std::tanh(value_of(a[0], b)), 0, b); });
  }
}
