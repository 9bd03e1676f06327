// Pairs of 16-bit integers, tf32 and 8-bit floats against references of their own, and atomics on vectors.
#include <algorithm>
#include <cmath>

#include "ops_harness.h"
#include "simt/memory_harness.h"

using namespace warpbook::simt::ops_test;

namespace {

int32_t part(uint64_t word, int index, bool is_signed) {
  const uint64_t bits = word >> (16 * index) & 0xffff;
  return is_signed ? int16_t(bits) : int32_t(bits);
}

template <class F>
void pairs(const std::string& name, bool is_signed, F f) {
  verify(name, Type::b32, {Type::b32, Type::b32}, [=](Sources a) {
    uint64_t result = 0;
    for (int i = 0; i < 2; ++i) {
      result |= uint64_t(uint32_t(f(part(a[0], i, is_signed), part(a[1], i, is_signed))) & 0xffff)
                << (16 * i);
    }
    return result;
  });
}

/// All finite values of an 8-bit float, by sign, exponent and fraction.
double eight_bit_value(int bits, int fraction_bits) {
  const int bias = fraction_bits == 3 ? 7 : 15;
  const int field = (bits & 0x7f) >> fraction_bits, fraction = bits & ((1 << fraction_bits) - 1);
  const double size = field == 0 ? std::ldexp(fraction, 1 - bias - fraction_bits)
                                 : std::ldexp(fraction + (1 << fraction_bits), field - bias - fraction_bits);
  return bits & 0x80 ? -size : size;
}
bool is_number(int bits, int fraction_bits) {
  return fraction_bits == 3 ? (bits & 0x7f) != 0x7f : (bits & 0x7f) < 0x7c;
}
/// The nearest of all values, the even one of two, the largest when there is none beyond.
int nearest_eight_bits(float value, int fraction_bits) {
  if (value != value) return 0x7f;
  const int sign = std::signbit(value) ? 0x80 : 0, largest = fraction_bits == 3 ? 0x7e : 0x7b;
  if (std::fabs(double(value)) >= eight_bit_value(largest, fraction_bits)) return sign | largest;
  int best = 0;
  double distance = INFINITY;
  for (int bits = 0; bits < 0x80; ++bits) {
    if (!is_number(bits, fraction_bits)) continue;
    const double d = std::fabs(eight_bit_value(bits, fraction_bits) - std::fabs(double(value)));
    if (d < distance || (d == distance && bits % 2 == 0)) best = bits, distance = d;
  }
  return best | sign;
}

}  // namespace

TEST_CASE("add, min and max of two 16-bit integers, and relu") {
  pairs("add.u16x2", false, [](int a, int b) { return a + b; });
  pairs("add.s16x2", true, [](int a, int b) { return a + b; });
  pairs("min.u16x2", false, [](int a, int b) { return std::min(a, b); });
  pairs("min.s16x2", true, [](int a, int b) { return std::min(a, b); });
  pairs("max.u16x2", false, [](int a, int b) { return std::max(a, b); });
  pairs("max.relu.s16x2", true, [](int a, int b) { return std::max({a, b, 0}); });
  verify("min.relu.s32", Type::s32, {Type::s32, Type::s32},
         [](Sources a) { return uint64_t(uint32_t(std::max(std::min(int32_t(a[0]), int32_t(a[1])), 0))); });
}

TEST_CASE("cvt to tf32 keeps ten bits of the fraction") {
  for (const char* rounding : {"rna", "rn", "rz"}) {
    const std::string name = rounding;
    verify("cvt." + name + ".tf32.f32", Type::b32, {Type::f32}, [=](Sources a) -> uint64_t {
      const float value = as_float(a[0]);
      if (value != value) return 0x7fffffff;
      if (std::isinf(value)) return a[0];
      // In units of the last place that is kept: an integer below 2^11, or in subnormals below 2^10.
      int exponent = 0;
      std::frexp(double(value), &exponent);
      const int unit = std::max(exponent, -125) - 11;
      const double scaled = std::ldexp(double(value), -unit);
      const double whole = name == "rz"   ? std::trunc(scaled)
                           : name == "rn" ? std::nearbyint(scaled)
                                          : std::round(scaled);
      return bits_of_float(std::copysign(float(std::ldexp(whole, unit)), value));
    });
  }
}

TEST_CASE("8-bit floats: to halves exactly, from floats to the nearest") {
  for (const int fraction : {3, 2}) {
    const std::string type = fraction == 3 ? "e4m3x2" : "e5m2x2";
    verify("cvt.rn.f16x2." + type, Type::f16x2, {Type::b16}, [=](Sources a) {
      uint64_t result = 0;
      for (int i = 0; i < 2; ++i) {
        const int bits = int(a[0] >> (8 * i) & 0xff);
        const double value = eight_bit_value(bits, fraction);
        // Halves hold every value of both; what is no number is compared below.
        uint64_t half = 0x7fff;
        if (is_number(bits, fraction)) {
          int exponent = 0;
          const double size = std::fabs(std::frexp(value, &exponent));
          half = value == 0       ? 0
                 : exponent < -13 ? uint64_t(std::ldexp(size, exponent + 24))
                                  : uint64_t(exponent + 14) << 10 | uint64_t(std::ldexp(size, 11) - 1024);
          half |= bits & 0x80 ? 0x8000 : 0;
        } else if (fraction == 2 && (bits & 0x7f) == 0x7c) {
          half = bits & 0x80 ? 0xfc00 : 0x7c00;
        }
        result |= half << (16 * i);
      }
      return result;
    });
    verify("cvt.rn.satfinite." + type + ".f32", Type::b16, {Type::f32, Type::f32}, [=](Sources a) {
      return uint64_t(nearest_eight_bits(as_float(a[0]), fraction)) << 8 |
             uint64_t(nearest_eight_bits(as_float(a[1]), fraction));
    });
  }
}

TEST_CASE("video instructions on bytes and halves") {
  struct Case {
    const char* name;
    int bits;
    int (*f)(int, int);
  };
  const Case cases[] = {{"vadd4", 8, [](int a, int b) { return a + b; }},
                        {"vsub2", 16, [](int a, int b) { return a - b; }},
                        {"vabsdiff4", 8, [](int a, int b) { return std::abs(a - b); }},
                        {"vmin2", 16, [](int a, int b) { return std::min(a, b); }},
                        {"vmax4", 8, [](int a, int b) { return std::max(a, b); }}};
  for (const Case& c : cases) {
    for (const bool is_signed : {false, true}) {
      for (const bool saturate : {false, true}) {
        for (const bool sums : {false, true}) {
          const std::string type = is_signed ? ".s32" : ".u32";
          const std::string name =
              c.name + type + type + type + (saturate ? ".sat" : "") + (sums ? ".add" : "");
          verify(name, Type::b32, {Type::b32, Type::b32, Type::b32}, [=](Sources a) {
            const int high = is_signed ? (1 << (c.bits - 1)) - 1 : (1 << c.bits) - 1;
            const int low = is_signed ? -high - 1 : 0;
            const auto extended = [&](uint64_t word, int i) {
              const int value = int(word >> (c.bits * i)) & ((1 << c.bits) - 1);
              return is_signed && value > high ? value - (1 << c.bits) : value;
            };
            uint32_t word = 0, sum = uint32_t(a[2]);
            for (int i = 0; i < 32 / c.bits; ++i) {
              int value = c.f(extended(a[0], i), extended(a[1], i));
              if (saturate) value = std::clamp(value, low, high);
              const uint32_t cut = uint32_t(value) & ((1u << c.bits) - 1);
              word |= cut << (c.bits * i);
              sum += uint32_t(extended(cut, 0));
            }
            return uint64_t(sums ? sum : word);
          });
        }
      }
    }
  }
  verify("vset4.u32.u32.lt", Type::b32, {Type::b32, Type::b32, Type::b32}, [](Sources a) {
    uint64_t word = 0;
    for (int i = 0; i < 32; i += 8) word |= uint64_t((a[0] >> i & 0xff) < (a[1] >> i & 0xff)) << i;
    return word;
  });
}

TEST_CASE("atomics on vectors add each element") {
  using namespace warpbook::simt;
  for (const Level level : memory_tests::all_levels) {
    memory_tests::Bench bench(memory_tests::kernel(2, R"(
      mov.f32 %f1, 0f3F800000;
      mov.f32 %f2, 0f40000000;
      atom.global.add.v2.f32 {%f3, %f4}, [%rd0], {%f1, %f2};
      red.global.add.v4.f32 [%rd0+16], {%f1, %f2, %f1, %f2};
      shl.b32 %r2, %r0, 3;
      cvt.u64.u32 %rd5, %r2;
      add.u64 %rd6, %rd1, %rd5;
      st.global.v2.f32 [%rd6], {%f3, %f4};)"));
    bench.options.level = level;
    const Address sums = bench.buffer("sums", std::vector<float>(8));
    const Address old = bench.buffer("old", std::vector<float>(128));
    REQUIRE(bench.run(1, 64).status == RunStatus::ok);
    CHECK(bench.read<float>(sums, 8) == std::vector<float>{64, 128, 0, 0, 64, 128, 64, 128});
    const auto before = bench.read<float>(old, 128);
    for (size_t i = 0; i < 64; ++i) {
      CHECK(before[2 * i] == float(i));
      CHECK(before[2 * i + 1] == float(2 * i));
    }
  }
}
