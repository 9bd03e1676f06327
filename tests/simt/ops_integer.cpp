// Integer arithmetic: sums, products, quotients, carry chains and dot products against scalar references.
#include "ops_harness.h"

using namespace warpbook::simt::ops_test;
using warpbook::simt::Inst;
using warpbook::simt::Warp;
namespace ptx = warpbook::ptx;

namespace {

template <class T>
T as(uint64_t bits) {
  return T(bits);
}
using i128 = __int128;

/// The type of a C++ integer.
template <class T>
constexpr Type type_of() {
  constexpr bool is_signed_type = T(-1) < T(0);
  switch (sizeof(T)) {
    case 2: return is_signed_type ? Type::s16 : Type::u16;
    case 4: return is_signed_type ? Type::s32 : Type::u32;
    default: return is_signed_type ? Type::s64 : Type::u64;
  }
}
std::string suffix(Type type) {
  switch (type) {
    case Type::u16: return ".u16";
    case Type::s16: return ".s16";
    case Type::u32: return ".u32";
    case Type::s32: return ".s32";
    case Type::u64: return ".u64";
    default: return ".s64";
  }
}

template <class T>
void sums() {
  constexpr Type t = type_of<T>();
  const std::string s = suffix(t);
  verify("add" + s, t, {t, t}, [](Sources a) { return uint64_t(a[0] + a[1]); });
  verify("sub" + s, t, {t, t}, [](Sources a) { return uint64_t(a[0] - a[1]); });
  verify("sad" + s, t, {t, t, t}, [](Sources a) {
    const T x = as<T>(a[0]), y = as<T>(a[1]);
    return a[2] + uint64_t(i128(x) > i128(y) ? i128(x) - y : i128(y) - x);
  });
  verify("min" + s, t, {t, t}, [](Sources a) { return uint64_t(std::min(as<T>(a[0]), as<T>(a[1]))); });
  verify("max" + s, t, {t, t}, [](Sources a) { return uint64_t(std::max(as<T>(a[0]), as<T>(a[1]))); });
}

template <class T, class Wide>
void products() {
  constexpr Type t = type_of<T>();
  constexpr int width = int(sizeof(T)) * 8;
  const std::string s = suffix(t);
  const auto product = [](Sources a) { return Wide(as<T>(a[0])) * Wide(as<T>(a[1])); };
  verify("mul.lo" + s, t, {t, t}, [=](Sources a) { return uint64_t(a[0] * a[1]); });
  verify("mul.hi" + s, t, {t, t}, [=](Sources a) { return uint64_t(product(a) >> width); });
  verify("mad.lo" + s, t, {t, t, t}, [=](Sources a) { return uint64_t(a[0] * a[1] + a[2]); });
  verify("mad.hi" + s, t, {t, t, t}, [=](Sources a) { return uint64_t(product(a) >> width) + a[2]; });
}
template <class T, class Wide>
void wide_products() {
  constexpr Type t = type_of<T>(), w = type_of<Wide>();
  const std::string s = suffix(t);
  verify("mul.wide" + s, w, {t, t},
         [](Sources a) { return uint64_t(Wide(Wide(as<T>(a[0])) * Wide(as<T>(a[1])))); });
  verify("mad.wide" + s, w, {t, t, w},
         [](Sources a) { return uint64_t(Wide(as<T>(a[0])) * Wide(as<T>(a[1]))) + a[2]; });
}

template <class T>
void quotients() {
  constexpr Type t = type_of<T>();
  const std::string s = suffix(t);
  verify("div" + s, t, {t, t}, [](Sources a) {
    const T x = as<T>(a[0]), y = as<T>(a[1]);
    return y == 0 ? ~uint64_t(0) : uint64_t(i128(x) / i128(y));
  });
  verify("rem" + s, t, {t, t}, [](Sources a) {
    const T x = as<T>(a[0]), y = as<T>(a[1]);
    return y == 0 ? uint64_t(x) : uint64_t(i128(x) % i128(y));
  });
}

int64_t clamp32(i128 value) {
  return int64_t(value > 0x7fffffff ? 0x7fffffff : value < -i128(0x80000000) ? -i128(0x80000000) : value);
}
int32_t low24(uint64_t a) { return int32_t(uint32_t(a) << 8) >> 8; }

/// Runs two or three instructions of a carry chain on one frame; the flag passes between them in the warp.
struct Chain {
  Frame frame;
  Warp warp;
  std::span<const warpbook::simt::Family> families;
  void step(std::string_view name, uint32_t to, std::vector<uint32_t> from) {
    ptx::Instruction source = instruction(name);
    source.operands.push_back(Frame::operand(to));
    for (const uint32_t index : from) source.operands.push_back(Frame::operand(index));
    Inst inst;
    REQUIRE(find(families, source.opcode)->decode(source, frame, inst));
    warp.frame = frame.base();
    (warp.mask == ~0u ? inst.full : inst.masked)(warp, inst);
  }
};

}  // namespace

TEST_CASE("integer sums, differences, minima and maxima") {
  sums<uint16_t>();
  sums<int16_t>();
  sums<uint32_t>();
  sums<int32_t>();
  sums<uint64_t>();
  sums<int64_t>();
}

TEST_CASE("saturating sums stay in the range of s32") {
  verify("add.sat.s32", Type::s32, {Type::s32, Type::s32},
         [](Sources a) { return uint64_t(clamp32(i128(int32_t(a[0])) + int32_t(a[1]))); });
  verify("sub.sat.s32", Type::s32, {Type::s32, Type::s32},
         [](Sources a) { return uint64_t(clamp32(i128(int32_t(a[0])) - int32_t(a[1]))); });
  verify("mad.hi.sat.s32", Type::s32, {Type::s32, Type::s32, Type::s32}, [](Sources a) {
    return uint64_t(clamp32(((i128(int32_t(a[0])) * int32_t(a[1])) >> 32) + int32_t(a[2])));
  });
}

TEST_CASE("neg and abs wrap at the lowest value") {
  for (const Type t : {Type::s16, Type::s32, Type::s64}) {
    verify("neg" + suffix(t), t, {t}, [](Sources a) { return 0 - a[0]; });
  }
  verify("abs.s16", Type::s16, {Type::s16},
         [](Sources a) { return int16_t(a[0]) < 0 ? uint64_t(-int64_t(int16_t(a[0]))) : a[0]; });
  verify("abs.s32", Type::s32, {Type::s32},
         [](Sources a) { return int32_t(a[0]) < 0 ? uint64_t(-int64_t(int32_t(a[0]))) : a[0]; });
  verify("abs.s64", Type::s64, {Type::s64}, [](Sources a) { return int64_t(a[0]) < 0 ? 0 - a[0] : a[0]; });
}

TEST_CASE("integer products: low, high and wide") {
  products<uint16_t, uint64_t>();
  products<int16_t, int64_t>();
  products<uint32_t, uint64_t>();
  products<int32_t, int64_t>();
  products<uint64_t, unsigned __int128>();
  products<int64_t, i128>();
  wide_products<uint16_t, uint32_t>();
  wide_products<int16_t, int32_t>();
  wide_products<uint32_t, uint64_t>();
  wide_products<int32_t, int64_t>();
}

TEST_CASE("24-bit products") {
  const auto u = [](uint64_t a) { return a & 0xffffff; };
  verify("mul24.lo.u32", Type::u32, {Type::u32, Type::u32}, [=](Sources a) { return u(a[0]) * u(a[1]); });
  verify("mul24.hi.u32", Type::u32, {Type::u32, Type::u32},
         [=](Sources a) { return u(a[0]) * u(a[1]) >> 16; });
  verify("mul24.lo.s32", Type::s32, {Type::s32, Type::s32},
         [](Sources a) { return uint64_t(int64_t(low24(a[0])) * low24(a[1])); });
  verify("mul24.hi.s32", Type::s32, {Type::s32, Type::s32},
         [](Sources a) { return uint64_t(int64_t(low24(a[0])) * low24(a[1]) >> 16); });
  verify("mad24.lo.u32", Type::u32, {Type::u32, Type::u32, Type::u32},
         [=](Sources a) { return u(a[0]) * u(a[1]) + a[2]; });
  verify("mad24.hi.s32", Type::s32, {Type::s32, Type::s32, Type::s32},
         [](Sources a) { return uint64_t(int64_t(low24(a[0])) * low24(a[1]) >> 16) + a[2]; });
  verify("mad24.hi.sat.s32", Type::s32, {Type::s32, Type::s32, Type::s32}, [](Sources a) {
    return uint64_t(clamp32(i128(int32_t(int64_t(low24(a[0])) * low24(a[1]) >> 16)) + int32_t(a[2])));
  });
}

TEST_CASE("integer quotients and remainders, by zero and by minus one too") {
  quotients<uint16_t>();
  quotients<int16_t>();
  quotients<uint32_t>();
  quotients<int32_t>();
  quotients<uint64_t>();
  quotients<int64_t>();
}

TEST_CASE("dot products of packed bytes") {
  const auto part = [](uint64_t word, int at, int width, bool is_signed_value) {
    const int64_t bits = int64_t(word >> at & ((1u << width) - 1));
    return is_signed_value && (bits >> (width - 1)) ? bits - (int64_t(1) << width) : bits;
  };
  for (const bool a_signed : {false, true}) {
    for (const bool b_signed : {false, true}) {
      const std::string types = std::string(a_signed ? ".s32" : ".u32") + (b_signed ? ".s32" : ".u32");
      verify("dp4a" + types, Type::u32, {Type::u32, Type::u32, Type::u32}, [=](Sources a) {
        int64_t sum = int64_t(a[2]);
        for (int i = 0; i < 4; ++i) sum += part(a[0], 8 * i, 8, a_signed) * part(a[1], 8 * i, 8, b_signed);
        return uint64_t(sum);
      });
      for (const bool high : {false, true}) {
        verify((high ? "dp2a.hi" : "dp2a.lo") + types, Type::u32, {Type::u32, Type::u32, Type::u32},
               [=](Sources a) {
                 int64_t sum = int64_t(a[2]);
                 for (int i = 0; i < 2; ++i) {
                   sum += part(a[0], 16 * i, 16, a_signed) * part(a[1], (high ? 16 : 0) + 8 * i, 8, b_signed);
                 }
                 return uint64_t(sum);
               });
      }
    }
  }
}

TEST_CASE("carry chains add, subtract and multiply 128-bit numbers") {
  for (const auto families : instruction_sets()) {
    Values values(7);
    for (int round = 0; round < 50; ++round) {
      Chain chain;
      chain.families = families;
      uint32_t r[8];
      for (uint32_t& index : r) index = chain.frame.add_register(Type::u64);
      for (int lane = 0; lane < 32; ++lane) {
        for (const uint32_t index : r) chain.frame.set(index, lane, values.of(Type::u64));
      }
      const uint32_t mask = round % 2 ? uint32_t(values.bits()) : ~0u;
      activate(chain.warp, mask);
      const uint32_t old_flags = uint32_t(values.bits());
      chain.warp.carry = old_flags;
      const auto wide = [&](int lane, uint32_t low, uint32_t high) {
        return (unsigned __int128)(chain.frame.get(high, lane)) << 64 | chain.frame.get(low, lane);
      };
      chain.step("add.cc.u64", r[4], {r[0], r[2]});
      chain.step("addc.u64", r[5], {r[1], r[3]});
      const uint32_t after_add = chain.warp.carry;
      chain.step("sub.cc.s64", r[6], {r[0], r[2]});
      chain.step("subc.cc.s64", r[7], {r[1], r[3]});
      for (int lane = 0; lane < 32; ++lane) {
        if (!(mask >> lane & 1)) {
          REQUIRE((chain.warp.carry >> lane & 1) == (old_flags >> lane & 1));
          continue;
        }
        const auto a = wide(lane, r[0], r[1]), b = wide(lane, r[2], r[3]);
        REQUIRE((wide(lane, r[4], r[5]) == a + b));
        REQUIRE((wide(lane, r[6], r[7]) == a - b));
        REQUIRE((after_add >> lane & 1) == uint32_t(uint64_t(a) + uint64_t(b) < uint64_t(a)));
        REQUIRE((chain.warp.carry >> lane & 1) == uint32_t(a < b));
      }
    }
  }
}

TEST_CASE("mad.cc and madc multiply 64 by 64 bits out of 32-bit halves") {
  for (const auto families : instruction_sets()) {
    Values values(11);
    for (int round = 0; round < 50; ++round) {
      Chain chain;
      chain.families = families;
      // a = a1:a0, b = b1:b0, product = p3:p2:p1:p0
      uint32_t a0 = chain.frame.add_register(Type::u32), a1 = chain.frame.add_register(Type::u32);
      uint32_t b0 = chain.frame.add_register(Type::u32), b1 = chain.frame.add_register(Type::u32);
      uint32_t p[4], zero = chain.frame.add_register(Type::u32);
      for (uint32_t& index : p) index = chain.frame.add_register(Type::u32);
      for (int lane = 0; lane < 32; ++lane) {
        for (const uint32_t index : {a0, a1, b0, b1}) chain.frame.set(index, lane, values.of(Type::u32));
        chain.frame.set(zero, lane, 0);
      }
      const uint32_t mask = round % 2 ? uint32_t(values.bits()) : ~0u;
      activate(chain.warp, mask);
      chain.step("mul.lo.u32", p[0], {a0, b0});
      chain.step("mul.hi.u32", p[1], {a0, b0});
      chain.step("mad.lo.cc.u32", p[1], {a1, b0, p[1]});
      chain.step("madc.hi.u32", p[2], {a1, b0, zero});
      chain.step("mad.lo.cc.u32", p[1], {a0, b1, p[1]});
      chain.step("madc.hi.cc.u32", p[2], {a0, b1, p[2]});
      chain.step("addc.u32", p[3], {zero, zero});
      chain.step("mad.lo.cc.u32", p[2], {a1, b1, p[2]});
      chain.step("madc.hi.u32", p[3], {a1, b1, p[3]});
      for (int lane = 0; lane < 32; ++lane) {
        if (!(mask >> lane & 1)) continue;
        const auto get = [&](uint32_t index) { return chain.frame.get(index, lane); };
        const uint64_t a = get(a1) << 32 | get(a0), b = get(b1) << 32 | get(b0);
        const unsigned __int128 wanted = (unsigned __int128)a * b;
        const unsigned __int128 got =
            (unsigned __int128)(get(p[3]) << 32 | get(p[2])) << 64 | get(p[1]) << 32 | get(p[0]);
        REQUIRE((got == wanted));
      }
    }
  }
}

TEST_CASE("forms that PTX does not have are refused") {
  CHECK_FALSE(decodes("add.sat.u32", Type::u32, {Type::u32, Type::u32}));
  CHECK_FALSE(decodes("mul.wide.s64", Type::s64, {Type::s64, Type::s64}));
  CHECK_FALSE(decodes("mul.s32", Type::s32, {Type::s32, Type::s32}));
  CHECK_FALSE(decodes("add.s32", Type::s32, {Type::s32}));
  CHECK_FALSE(decodes("rem.f32", Type::f32, {Type::f32, Type::f32}));
}
