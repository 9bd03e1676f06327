// mov in all its forms: copies, predicates, immediates, packing and unpacking, clocks.
#include "ops_harness.h"

using namespace warpbook::simt::ops_test;
using warpbook::simt::Inst;
using warpbook::simt::Warp;
namespace ptx = warpbook::ptx;

namespace {

ptx::Operand vector_of(const std::vector<uint32_t>& registers) {
  ptx::Operand result;
  result.kind = ptx::Operand::Kind::vector;
  for (const uint32_t index : registers) result.parts.push_back(Frame::operand(index));
  return result;
}

struct Shape {
  const char* name;
  Type whole, part;
  size_t count;
};
const Shape shapes[] = {{"mov.b32", Type::b32, Type::b16, 2},
                        {"mov.b64", Type::b64, Type::b32, 2},
                        {"mov.b64", Type::b64, Type::b16, 4},
                        {"mov.b32", Type::b32, Type::b8, 4},
                        {"mov.b16", Type::b16, Type::b8, 2}};

}  // namespace

TEST_CASE("mov copies registers of every type") {
  const std::pair<const char*, Type> types[] = {{"b16", Type::b16}, {"u16", Type::u16}, {"b32", Type::b32},
                                                {"u32", Type::u32}, {"s32", Type::s32}, {"f32", Type::f32},
                                                {"b64", Type::b64}, {"u64", Type::u64}, {"f64", Type::f64}};
  for (const auto& [name, t] : types) {
    verify(std::string("mov.") + name, t, {t}, [](Sources a) { return a[0]; });
  }
  verify("mov.pred", Type::pred, {Type::pred}, [](Sources a) { return a[0]; });
  Check check;
  check.name = "mov.u32";
  check.result = Type::u32;
  check.literals = {literal(0x12345678)};
  check.reference = [](Sources) { return uint64_t(0x12345678); };
  verify(check);
}

TEST_CASE("mov packs parts and takes them apart, also in place") {
  for (const auto families : instruction_sets()) {
    for (const Shape& shape : shapes) {
      const int width = ptx::bits_of(shape.part);
      const uint64_t low = (uint64_t(1) << width) - 1;
      for (const bool pack : {true, false}) {
        for (const bool in_place : {false, true}) {
          if (in_place && ptx::bits_of(shape.whole) == 64) continue;  // never the same kind of slot
          Values values(13);
          for (int round = 0; round < 20; ++round) {
            Frame frame;
            std::vector<uint32_t> parts;
            for (size_t k = 0; k < shape.count; ++k) {
              parts.push_back(frame.add_register(shape.part == Type::b8 ? Type::b16 : shape.part));
            }
            const uint32_t whole = in_place ? parts[0] : frame.add_register(shape.whole);
            for (int lane = 0; lane < 32; ++lane) {
              for (const uint32_t index : parts) frame.set(index, lane, values.bits());
              if (!in_place) frame.set(whole, lane, values.bits());
            }
            ptx::Instruction source = instruction(shape.name);
            if (pack) {
              source.operands = {Frame::operand(whole), vector_of(parts)};
            } else {
              source.operands = {vector_of(parts), Frame::operand(whole)};
            }
            Inst inst;
            REQUIRE(find(families, "mov")->decode(source, frame, inst));
            std::array<uint64_t, 32> old_whole{};
            std::array<std::array<uint64_t, 4>, 32> old_parts{};
            for (int lane = 0; lane < 32; ++lane) {
              old_whole[size_t(lane)] = frame.get(whole, lane);
              for (size_t k = 0; k < shape.count; ++k) old_parts[size_t(lane)][k] = frame.get(parts[k], lane);
            }
            const uint32_t mask = round % 2 ? uint32_t(values.bits()) : ~0u;
            Warp warp;
            warp.frame = frame.base();
            activate(warp, mask);
            (mask == ~0u ? inst.full : inst.masked)(warp, inst);
            for (int lane = 0; lane < 32; ++lane) {
              const auto& were = old_parts[size_t(lane)];
              const uint64_t was = old_whole[size_t(lane)];
              if (!(mask >> lane & 1)) {
                REQUIRE(frame.get(whole, lane) == was);
                continue;
              }
              uint64_t wanted = 0;
              for (size_t k = 0; k < shape.count; ++k) {
                wanted |= (were[k] & low) << (int(k) * width);
                if (!pack) {
                  const uint64_t got = frame.get(parts[k], lane) & low;
                  REQUIRE(got == (was >> (int(k) * width) & low));
                }
              }
              if (pack) REQUIRE(low_bits(frame.get(whole, lane), shape.whole) == wanted);
            }
          }
        }
      }
    }
  }
}

TEST_CASE("mov drops a part that is written as _") {
  for (const auto families : instruction_sets()) {
    Frame frame;
    const uint32_t whole = frame.add_register(Type::b64), high = frame.add_register(Type::b32);
    for (int lane = 0; lane < 32; ++lane) frame.set(whole, lane, uint64_t(lane) << 32 | 0xabcdef);
    ptx::Instruction source = instruction("mov.b64");
    ptx::Operand parts = vector_of({high, high});
    parts.parts[0] = ptx::Operand();
    parts.parts[0].kind = ptx::Operand::Kind::discard;
    source.operands = {parts, Frame::operand(whole)};
    Inst inst;
    REQUIRE(find(families, "mov")->decode(source, frame, inst));
    Warp warp;
    warp.frame = frame.base();
    activate(warp, ~0u);
    inst.full(warp, inst);
    for (int lane = 0; lane < 32; ++lane) CHECK(frame.get(high, lane) == uint64_t(lane));
  }
}

TEST_CASE("clocks count the warp's instructions, within a basic block too") {
  for (const auto families : instruction_sets()) {
    Frame frame;
    const uint32_t narrow = frame.add_register(Type::u32), wide = frame.add_register(Type::u64);
    warpbook::simt::CodeFunction function;
    function.instructions.resize(6);
    function.blocks = {{0, 2, 2}, {2, 4, 4}};
    function.block_of = {0, 0, 1, 1, 1, 1};
    const auto read = [&](const char* name, const char* special, uint32_t to, size_t at) {
      ptx::Instruction source = instruction(name);
      ptx::Operand from;
      from.kind = ptx::Operand::Kind::special;
      from.name = special;
      source.operands = {Frame::operand(to), from};
      Inst& inst = function.instructions[at];
      inst = Inst();
      REQUIRE(find(families, "mov")->decode(source, frame, inst));
      warpbook::simt::Frame activation;
      activation.function = &function;
      Warp warp;
      warp.frame = frame.base();
      warp.fragments.resize(1);
      warp.fragments[0].frame = &activation;
      warp.clock = 0x300000010;
      activate(warp, ~0u);
      inst.full(warp, inst);
      return frame.get(to, 7);
    };
    CHECK(read("mov.u64", "%clock64", wide, 2) == 0x300000010);
    CHECK(read("mov.u64", "%clock64", wide, 5) == 0x300000013);
    CHECK(read("mov.u32", "%clock", narrow, 4) == 0x12);
    CHECK(read("mov.u32", "%clock_hi", narrow, 4) == 3);
    CHECK(read("mov.u64", "%globaltimer", wide, 1) == 0x300000011);
    CHECK(read("mov.u32", "%globaltimer_lo", narrow, 3) == 0x11);
  }
}
