// Logic, shifts and bit fields against references that go bit by bit.
#include "ops_harness.h"

using namespace warpbook::simt::ops_test;
namespace ptx = warpbook::ptx;

namespace {

constexpr Type b16 = Type::b16, b32 = Type::b32, b64 = Type::b64, pred = Type::pred, u32 = Type::u32;

std::string suffix(Type type) {
  return type == b16 ? ".b16" : type == b32 ? ".b32" : type == b64 ? ".b64" : ".pred";
}

bool bit(uint64_t value, uint64_t at) { return value >> at & 1; }

uint64_t shifted_left(uint64_t a, uint64_t by, int width) {
  return by >= uint64_t(width) ? 0 : low_bits(a, width == 64 ? b64 : width == 32 ? b32 : b16) << by;
}
uint64_t shifted_right(uint64_t a, uint64_t by, int width, bool sign) {
  uint64_t result = 0;
  for (int i = 0; i < width; ++i) {
    const uint64_t from = uint64_t(i) + by;
    const bool set = from < uint64_t(width) ? bit(a, from) : sign && bit(a, uint64_t(width) - 1);
    result |= uint64_t(set) << i;
  }
  return result;
}

/// bfe as the ISA writes it, bit by bit.
uint64_t extracted(uint64_t a, uint64_t b, uint64_t c, int width, bool is_signed_value) {
  const int msb = width - 1;
  const int position = int(b & 0xff), length = int(c & 0xff);
  bool sign = false;
  if (is_signed_value && length > 0) sign = bit(a, uint64_t(std::min(position + length - 1, msb)));
  uint64_t result = 0;
  for (int i = 0; i <= msb; ++i) {
    const bool set = i < length && position + i <= msb ? bit(a, uint64_t(position + i)) : sign;
    result |= uint64_t(set) << i;
  }
  return result;
}
uint64_t inserted(uint64_t a, uint64_t b, uint64_t c, uint64_t d, int width) {
  const int position = int(c & 0xff), length = int(d & 0xff);
  for (int i = 0; i < length && position + i < width; ++i) {
    b = (b & ~(uint64_t(1) << (position + i))) | uint64_t(bit(a, uint64_t(i))) << (position + i);
  }
  return b;
}
uint64_t highest(uint64_t a, int width, bool is_signed_value, bool from_top) {
  if (is_signed_value && bit(a, uint64_t(width) - 1)) a = ~a;
  for (int i = width - 1; i >= 0; --i) {
    if (bit(a, uint64_t(i))) return uint64_t(from_top ? width - 1 - i : i);
  }
  return 0xffffffff;
}

void with_literal(const std::string& name, std::vector<Type> sources, uint64_t value, Reference reference) {
  Check check;
  check.name = name;
  check.result = b32;
  check.sources = std::move(sources);
  check.reference = std::move(reference);
  check.literals = {literal(value)};
  check.rounds = 6;
  verify(check);
}

}  // namespace

TEST_CASE("and, or, xor, not on values and on predicates") {
  for (const Type t : {b16, b32, b64, pred}) {
    verify("and" + suffix(t), t, {t, t}, [](Sources a) { return a[0] & a[1]; });
    verify("or" + suffix(t), t, {t, t}, [](Sources a) { return a[0] | a[1]; });
    verify("xor" + suffix(t), t, {t, t}, [](Sources a) { return a[0] ^ a[1]; });
    verify("not" + suffix(t), t, {t}, [](Sources a) { return ~a[0]; });
  }
}

TEST_CASE("a negated predicate counts as its complement") {
  Check check;
  check.name = "and.pred";
  check.result = pred;
  check.sources = {pred, pred};
  check.negated = {1};
  check.reference = [](Sources a) { return a[0] & ~a[1]; };
  verify(check);
}

TEST_CASE("cnot is one for zero alone") {
  verify("cnot.b16", b16, {b16}, [](Sources a) { return uint64_t((a[0] & 0xffff) == 0); });
  verify("cnot.b32", b32, {b32}, [](Sources a) { return uint64_t(uint32_t(a[0]) == 0); });
  verify("cnot.b64", b64, {b64}, [](Sources a) { return uint64_t(a[0] == 0); });
}

TEST_CASE("lop3 computes every function of three bits") {
  for (uint64_t table = 0; table < 256; ++table) {
    with_literal("lop3.b32", {b32, b32, b32}, table, [table](Sources a) {
      uint64_t result = 0;
      for (uint64_t i = 0; i < 32; ++i) {
        const uint64_t row = uint64_t(bit(a[0], i)) * 4 + uint64_t(bit(a[1], i)) * 2 + uint64_t(bit(a[2], i));
        result |= uint64_t(bit(table, row)) << i;
      }
      return result;
    });
  }
}

TEST_CASE("shift amounts clamp at the width") {
  for (const Type t : {b16, b32, b64}) {
    const int width = ptx::bits_of(t);
    verify("shl" + suffix(t), t, {t, u32},
           [=](Sources a) { return shifted_left(a[0], uint32_t(a[1]), width); });
    verify("shr" + suffix(t), t, {t, u32},
           [=](Sources a) { return shifted_right(a[0], uint32_t(a[1]), width, false); });
  }
  verify("shr.u16", Type::u16, {Type::u16, u32},
         [](Sources a) { return shifted_right(a[0], uint32_t(a[1]), 16, false); });
  verify("shr.u32", u32, {u32, u32},
         [](Sources a) { return shifted_right(a[0], uint32_t(a[1]), 32, false); });
  verify("shr.u64", Type::u64, {Type::u64, u32},
         [](Sources a) { return shifted_right(a[0], uint32_t(a[1]), 64, false); });
  verify("shr.s16", Type::s16, {Type::s16, u32},
         [](Sources a) { return shifted_right(a[0], uint32_t(a[1]), 16, true); });
  verify("shr.s32", Type::s32, {Type::s32, u32},
         [](Sources a) { return shifted_right(a[0], uint32_t(a[1]), 32, true); });
  verify("shr.s64", Type::s64, {Type::s64, u32},
         [](Sources a) { return shifted_right(a[0], uint32_t(a[1]), 64, true); });
}

TEST_CASE("funnel shifts wrap or clamp") {
  const auto funnel = [](bool left, bool wrap) {
    return [=](Sources a) {
      const uint64_t both = a[1] << 32 | uint32_t(a[0]);
      const uint32_t c = uint32_t(a[2]);
      const int by = int(wrap ? c & 31 : std::min(c, 32u));
      const unsigned __int128 wide = both;
      return left ? uint64_t((wide << by) >> 32) & 0xffffffff : uint64_t(wide >> by) & 0xffffffff;
    };
  };
  verify("shf.l.wrap.b32", b32, {b32, b32, u32}, funnel(true, true));
  verify("shf.l.clamp.b32", b32, {b32, b32, u32}, funnel(true, false));
  verify("shf.r.wrap.b32", b32, {b32, b32, u32}, funnel(false, true));
  verify("shf.r.clamp.b32", b32, {b32, b32, u32}, funnel(false, false));
}

TEST_CASE("counting and reversing bits") {
  for (const Type t : {b32, b64}) {
    const int width = ptx::bits_of(t);
    verify("popc" + suffix(t), u32, {t}, [=](Sources a) {
      uint64_t count = 0;
      for (int i = 0; i < width; ++i) count += bit(a[0], uint64_t(i));
      return count;
    });
    verify("clz" + suffix(t), u32, {t}, [=](Sources a) {
      int count = 0;
      while (count < width && !bit(a[0], uint64_t(width - 1 - count))) ++count;
      return uint64_t(count);
    });
    verify("brev" + suffix(t), t, {t}, [=](Sources a) {
      uint64_t result = 0;
      for (int i = 0; i < width; ++i) result |= uint64_t(bit(a[0], uint64_t(i))) << (width - 1 - i);
      return result;
    });
  }
  const std::pair<const char*, Type> types[] = {
      {"u32", Type::u32}, {"s32", Type::s32}, {"u64", Type::u64}, {"s64", Type::s64}};
  for (const auto& [name, t] : types) {
    const int width = ptx::bits_of(t);
    const bool is_signed_value = name[0] == 's';
    verify(std::string("bfind.") + name, u32, {t},
           [=](Sources a) { return highest(a[0], width, is_signed_value, false); });
    verify(std::string("bfind.shiftamt.") + name, u32, {t},
           [=](Sources a) { return highest(a[0], width, is_signed_value, true); });
    verify(std::string("bfe.") + name, t, {t, u32, u32},
           [=](Sources a) { return extracted(a[0], a[1], a[2], width, is_signed_value); });
  }
}

TEST_CASE("bfi, bmsk, szext, fns") {
  verify("bfi.b32", b32, {b32, b32, u32, u32},
         [](Sources a) { return inserted(a[0], a[1], a[2], a[3], 32); });
  verify("bfi.b64", b64, {b64, b64, u32, u32},
         [](Sources a) { return inserted(a[0], a[1], a[2], a[3], 64); });
  for (const bool wrap : {false, true}) {
    const std::string mode = wrap ? ".wrap" : ".clamp";
    verify("bmsk" + mode + ".b32", b32, {u32, u32}, [=](Sources a) {
      const uint64_t from = wrap ? a[0] & 31 : uint32_t(a[0]), count = wrap ? a[1] & 31 : uint32_t(a[1]);
      uint64_t result = 0;
      for (uint64_t i = from; i < std::min<uint64_t>(32, from + count); ++i) result |= uint64_t(1) << i;
      return result;
    });
    for (const bool sign : {false, true}) {
      verify("szext" + mode + (sign ? ".s32" : ".u32"), u32, {u32, u32}, [=](Sources a) {
        const uint64_t count = wrap ? a[1] & 31 : std::min<uint64_t>(32, uint32_t(a[1]));
        uint64_t result = 0;
        for (uint64_t i = 0; i < 32; ++i) {
          const bool set = i < count ? bit(a[0], i) : sign && count > 0 && bit(a[0], count - 1);
          result |= uint64_t(set) << i;
        }
        return result;
      });
    }
  }
  verify("fns.b32", b32, {b32, u32, Type::s32}, [](Sources a) {
    const int64_t offset = int32_t(a[2]);
    int64_t at = int64_t(uint32_t(a[1]));
    if (offset == 0) return at < 32 && bit(a[0], uint64_t(at)) ? uint64_t(at) : uint64_t(0xffffffff);
    int64_t left = std::abs(offset) - 1;
    while (at >= 0 && at < 32) {
      if (bit(a[0], uint64_t(at))) {
        if (left == 0) return uint64_t(at);
        --left;
      }
      at += offset > 0 ? 1 : -1;
    }
    return uint64_t(0xffffffff);
  });
}

TEST_CASE("prmt picks bytes in every mode") {
  const auto byte = [](Sources a, uint64_t at) {
    return (at < 4 ? a[0] >> (8 * at) : a[1] >> (8 * (at - 4))) & 0xff;
  };
  verify("prmt.b32", b32, {b32, b32, b32}, [=](Sources a) {
    uint64_t result = 0;
    for (uint64_t i = 0; i < 4; ++i) {
      const uint64_t selector = a[2] >> (4 * i) & 0xf;
      uint64_t value = byte(a, selector & 7);
      if (selector & 8) value = value & 0x80 ? 0xff : 0;
      result |= value << (8 * i);
    }
    return result;
  });
  // Rows of the ISA's table, by the two low bits of c; the highest byte first.
  const std::pair<const char*, std::array<int, 16>> rows[] = {
      {"f4e", {3, 2, 1, 0, 4, 3, 2, 1, 5, 4, 3, 2, 6, 5, 4, 3}},
      {"b4e", {5, 6, 7, 0, 6, 7, 0, 1, 7, 0, 1, 2, 0, 1, 2, 3}},
      {"rc8", {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3}},
      {"ecl", {3, 2, 1, 0, 3, 2, 1, 1, 3, 2, 2, 2, 3, 3, 3, 3}},
      {"ecr", {0, 0, 0, 0, 1, 1, 1, 0, 2, 2, 1, 0, 3, 2, 1, 0}},
      {"rc16", {1, 0, 1, 0, 3, 2, 3, 2, 1, 0, 1, 0, 3, 2, 3, 2}},
  };
  for (const auto& [mode, row] : rows) {
    verify(std::string("prmt.b32.") + mode, b32, {b32, b32, b32}, [=, table = row](Sources a) {
      uint64_t result = 0;
      for (size_t i = 0; i < 4; ++i) result = result << 8 | byte(a, uint64_t(table[(a[2] & 3) * 4 + i]));
      return result;
    });
  }
}

TEST_CASE("lop3 with a predicate combines whether the result is non-zero") {
  for (const auto families : instruction_sets()) {
    for (const bool conjunction : {false, true}) {
      Values values(3);
      for (int round = 0; round < 30; ++round) {
        Frame frame;
        uint32_t r[4], p = frame.add_register(pred), q = frame.add_register(pred);
        for (uint32_t& index : r) index = frame.add_register(b32);
        for (int lane = 0; lane < 32; ++lane) {
          for (const uint32_t index : r) frame.set(index, lane, values.of(b32) & 3);
          frame.set(p, lane, values.of(pred));
          frame.set(q, lane, values.of(pred));
        }
        ptx::Instruction source = instruction(conjunction ? "lop3.and.b32" : "lop3.or.b32");
        ptx::Operand pair;
        pair.kind = ptx::Operand::Kind::pair;
        pair.parts = {Frame::operand(r[0]), Frame::operand(p)};
        source.operands = {pair,          Frame::operand(r[1]), Frame::operand(r[2]), Frame::operand(r[3]),
                           literal(0x80), Frame::operand(q)};
        warpbook::simt::Inst inst;
        REQUIRE(find(families, "lop3")->decode(source, frame, inst));
        const uint32_t mask = round % 2 ? uint32_t(values.bits()) : ~0u;
        std::array<uint64_t, 32> old_p{}, old_d{};
        for (int lane = 0; lane < 32; ++lane) {
          old_p[size_t(lane)] = frame.get(p, lane);
          old_d[size_t(lane)] = frame.get(r[0], lane);
        }
        warpbook::simt::Warp warp;
        warp.frame = frame.base();
        activate(warp, mask);
        (mask == ~0u ? inst.full : inst.masked)(warp, inst);
        for (int lane = 0; lane < 32; ++lane) {
          const bool active = mask >> lane & 1;
          const uint64_t all = frame.get(r[1], lane) & frame.get(r[2], lane) & frame.get(r[3], lane);
          const bool third = frame.get(q, lane);
          const bool wanted = conjunction ? all && third : all || third;
          REQUIRE(frame.get(r[0], lane) == (active ? all : old_d[size_t(lane)]));
          REQUIRE(frame.get(p, lane) == (active ? uint64_t(wanted) : old_p[size_t(lane)]));
        }
      }
    }
  }
}
