// setp, set, selp and slct against a reference that knows comparisons by name.
#include <cmath>

#include "ops_harness.h"

using namespace warpbook::simt::ops_test;
namespace ptx = warpbook::ptx;

namespace {

constexpr Type pred = Type::pred;

template <class T>
bool ordered(const std::string& name, T a, T b) {
  if (name == "eq") return a == b;
  if (name == "ne") return a != b;
  if (name == "lt" || name == "lo") return a < b;
  if (name == "le" || name == "ls") return a <= b;
  if (name == "gt" || name == "hi") return a > b;
  return a >= b;
}
template <class T>
bool float_compared(const std::string& name, T a, T b) {
  const bool nan = a != a || b != b;
  if (name == "num") return !nan;
  if (name == "nan") return nan;
  if (name.size() == 3) return nan || ordered(name.substr(0, 2), a, b);
  return !nan && ordered(name, a, b);
}

double half_value(uint64_t bits) {
  const int sign = bits >> 15 & 1, exponent = int(bits >> 10 & 31), fraction = int(bits & 0x3ff);
  double value = exponent == 31 ? (fraction ? NAN : INFINITY)
                 : exponent     ? std::ldexp(1024 + fraction, exponent - 25)
                                : std::ldexp(fraction, -24);
  return sign ? -value : value;
}
double brain_value(uint64_t bits) { return double(as_float((bits & 0xffff) << 16)); }

bool compared(const std::string& name, Type type, bool ftz, uint64_t a, uint64_t b) {
  switch (type) {
    case Type::b16:
    case Type::u16: return ordered(name, uint16_t(a), uint16_t(b));
    case Type::s16: return ordered(name, int16_t(a), int16_t(b));
    case Type::b32:
    case Type::u32: return ordered(name, uint32_t(a), uint32_t(b));
    case Type::s32: return ordered(name, int32_t(a), int32_t(b));
    case Type::b64:
    case Type::u64: return ordered(name, a, b);
    case Type::s64: return ordered(name, int64_t(a), int64_t(b));
    case Type::f32:
      return ftz ? float_compared(name, flushed(as_float(a)), flushed(as_float(b)))
                 : float_compared(name, as_float(a), as_float(b));
    case Type::f16: return float_compared(name, half_value(a), half_value(b));
    case Type::bf16: return float_compared(name, brain_value(a), brain_value(b));
    default: return float_compared(name, as_double(a), as_double(b));
  }
}

struct Kind {
  const char* name;
  Type type;
  bool ftz = false;
};
const Kind kinds[] = {{".b16", Type::b16}, {".u16", Type::u16},  {".s16", Type::s16},
                      {".b32", Type::b32}, {".u32", Type::u32},  {".s32", Type::s32},
                      {".b64", Type::b64}, {".u64", Type::u64},  {".s64", Type::s64},
                      {".f32", Type::f32}, {".f64", Type::f64},  {".ftz.f32", Type::f32, true},
                      {".f16", Type::f16}, {".bf16", Type::bf16}};

std::vector<std::string> comparisons(Type type) {
  std::vector<std::string> all{"eq", "ne"};
  if (type == Type::b16 || type == Type::b32 || type == Type::b64) return all;
  for (const char* name : {"lt", "le", "gt", "ge"}) all.push_back(name);
  if (type == Type::u16 || type == Type::u32 || type == Type::u64) {
    for (const char* name : {"lo", "ls", "hi", "hs"}) all.push_back(name);
  }
  if (ptx::is_float(type)) {
    for (const char* name : {"equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"}) all.push_back(name);
  }
  return all;
}

}  // namespace

TEST_CASE("setp: every comparison of every type") {
  for (const Kind& kind : kinds) {
    for (const std::string& name : comparisons(kind.type)) {
      const Kind k = kind;
      Check check;
      check.name = "setp." + name + k.name;
      check.result = pred;
      check.sources = {k.type, k.type};
      check.rounds = 12;
      check.reference = [=](Sources a) { return uint64_t(compared(name, k.type, k.ftz, a[0], a[1])); };
      verify(check);
    }
  }
}

TEST_CASE("setp combines with a third predicate, plain and negated") {
  for (const char* combine : {"and", "or", "xor"}) {
    for (const bool negated : {false, true}) {
      const std::string how = combine;
      Check check;
      check.name = "setp.gt." + how + ".s32";
      check.result = pred;
      check.sources = {Type::s32, Type::s32, pred};
      if (negated) check.negated = {2};
      check.reference = [=](Sources a) {
        const bool is = int32_t(a[0]) > int32_t(a[1]);
        const bool third = bool(a[2]) != negated;
        return uint64_t(how == "and" ? is && third : how == "or" ? is || third : is != third);
      };
      verify(check);
    }
  }
}

TEST_CASE("setp p|q gives the comparison and its complement") {
  for (const auto families : instruction_sets()) {
    for (const bool combine : {false, true}) {
      Values values(5);
      for (int round = 0; round < 30; ++round) {
        Frame frame;
        const uint32_t p = frame.add_register(pred), q = frame.add_register(pred),
                       c = frame.add_register(pred);
        const uint32_t a = frame.add_register(Type::f32), b = frame.add_register(Type::f32);
        std::array<uint64_t, 32> old_p{}, old_q{};
        for (int lane = 0; lane < 32; ++lane) {
          for (const uint32_t index : {p, q, c}) frame.set(index, lane, values.of(pred));
          for (const uint32_t index : {a, b}) frame.set(index, lane, values.of(Type::f32));
          old_p[size_t(lane)] = frame.get(p, lane);
          old_q[size_t(lane)] = frame.get(q, lane);
        }
        ptx::Instruction source = instruction(combine ? "setp.lt.and.f32" : "setp.lt.f32");
        ptx::Operand pair;
        pair.kind = ptx::Operand::Kind::pair;
        pair.parts = {Frame::operand(p), Frame::operand(q)};
        source.operands = {pair, Frame::operand(a), Frame::operand(b)};
        if (combine) source.operands.push_back(Frame::operand(c));
        warpbook::simt::Inst inst;
        REQUIRE(find(families, "setp")->decode(source, frame, inst));
        const uint32_t mask = round % 2 ? uint32_t(values.bits()) : ~0u;
        warpbook::simt::Warp warp;
        warp.frame = frame.base();
        activate(warp, mask);
        (mask == ~0u ? inst.full : inst.masked)(warp, inst);
        for (int lane = 0; lane < 32; ++lane) {
          const bool active = mask >> lane & 1;
          const bool less = as_float(frame.get(a, lane)) < as_float(frame.get(b, lane));
          const bool third = !combine || frame.get(c, lane);
          REQUIRE(frame.get(p, lane) == (active ? uint64_t(less && third) : old_p[size_t(lane)]));
          REQUIRE(frame.get(q, lane) == (active ? uint64_t(!less && third) : old_q[size_t(lane)]));
        }
      }
    }
  }
}

TEST_CASE("setp on f16x2 compares the halves apart") {
  for (const auto families : instruction_sets()) {
    Values values(9);
    Frame frame;
    const uint32_t p = frame.add_register(pred), q = frame.add_register(pred);
    const uint32_t a = frame.add_register(Type::f16x2), b = frame.add_register(Type::f16x2);
    ptx::Instruction source = instruction("setp.geu.f16x2");
    ptx::Operand pair;
    pair.kind = ptx::Operand::Kind::pair;
    pair.parts = {Frame::operand(p), Frame::operand(q)};
    source.operands = {pair, Frame::operand(a), Frame::operand(b)};
    warpbook::simt::Inst inst;
    REQUIRE(find(families, "setp")->decode(source, frame, inst));
    warpbook::simt::Warp warp;
    warp.frame = frame.base();
    activate(warp, ~0u);
    for (int round = 0; round < 30; ++round) {
      for (int lane = 0; lane < 32; ++lane) {
        for (const uint32_t index : {a, b}) {
          frame.set(index, lane, (values.of(Type::f16) & 0xffff) << 16 | (values.of(Type::f16) & 0xffff));
        }
      }
      inst.full(warp, inst);
      for (int lane = 0; lane < 32; ++lane) {
        const uint64_t x = frame.get(a, lane), y = frame.get(b, lane);
        REQUIRE(frame.get(p, lane) == uint64_t(compared("geu", Type::f16, false, x, y)));
        REQUIRE(frame.get(q, lane) == uint64_t(compared("geu", Type::f16, false, x >> 16, y >> 16)));
      }
    }
  }
}

TEST_CASE("set writes all ones or one") {
  for (const Kind& kind : kinds) {
    const Kind k = kind;
    if (k.type == Type::b16 || k.ftz) continue;
    const std::string types = k.name;
    const auto is = [=](Sources a) { return compared("ne", k.type, false, a[0], a[1]); };
    verify("set.ne.u32" + types, Type::u32, {k.type, k.type},
           [=](Sources a) { return is(a) ? uint64_t(0xffffffff) : 0; });
    verify("set.ne.f32" + types, Type::f32, {k.type, k.type},
           [=](Sources a) { return is(a) ? uint64_t(0x3f800000) : 0; });
  }
  verify("set.eq.f16.f16", Type::f16, {Type::f16, Type::f16},
         [](Sources a) { return compared("eq", Type::f16, false, a[0], a[1]) ? uint64_t(0x3c00) : 0; });
  verify("set.lt.bf16.bf16", Type::bf16, {Type::bf16, Type::bf16},
         [](Sources a) { return compared("lt", Type::bf16, false, a[0], a[1]) ? uint64_t(0x3f80) : 0; });
  verify("set.gt.or.ftz.s32.f32", Type::s32, {Type::f32, Type::f32, pred}, [](Sources a) {
    return compared("gt", Type::f32, true, a[0], a[1]) || a[2] ? uint64_t(0xffffffff) : 0;
  });
  verify("set.gtu.f16x2.f16x2", Type::f16x2, {Type::b32, Type::b32}, [](Sources a) {
    const uint64_t low = compared("gtu", Type::f16, false, a[0], a[1]) ? 0x3c00 : 0;
    const uint64_t high = compared("gtu", Type::f16, false, a[0] >> 16, a[1] >> 16) ? 0x3c00 : 0;
    return high << 16 | low;
  });
}

TEST_CASE("selp and slct choose") {
  const std::pair<const char*, Type> types[] = {
      {"b16", Type::b16}, {"u32", Type::u32}, {"f32", Type::f32}, {"b64", Type::b64}, {"f64", Type::f64}};
  for (const auto& [name, t] : types) {
    Check check;
    check.name = std::string("selp.") + name;
    check.result = t;
    check.sources = {t, t, pred};
    check.reference = [](Sources a) { return a[2] ? a[0] : a[1]; };
    verify(check);
    check.negated = {2};
    check.reference = [](Sources a) { return a[2] ? a[1] : a[0]; };
    verify(check);
    verify(std::string("slct.") + name + ".s32", t, {t, t, Type::s32},
           [](Sources a) { return int32_t(a[2]) >= 0 ? a[0] : a[1]; });
    verify(std::string("slct.") + name + ".f32", t, {t, t, Type::f32},
           [](Sources a) { return as_float(a[2]) >= 0 ? a[0] : a[1]; });
    verify(std::string("slct.ftz.") + name + ".f32", t, {t, t, Type::f32},
           [](Sources a) { return flushed(as_float(a[2])) >= 0 ? a[0] : a[1]; });
  }
}

TEST_CASE("comparisons that PTX does not have are refused") {
  CHECK_FALSE(decodes("setp.lo.s32", pred, {Type::s32, Type::s32}));
  CHECK_FALSE(decodes("setp.ltu.s32", pred, {Type::s32, Type::s32}));
  CHECK_FALSE(decodes("setp.is.s32", pred, {Type::s32, Type::s32}));
}
