// What an instruction's operands become: constants, parameters, special registers, addresses, jumps.
#include <cstring>

#include "catch.h"
#include "decode_table.h"
#include "simt/decode/slot_encoder.h"

using namespace warpbook;
using namespace warpbook::simt;
using warpbook::simt::test::init_at;

namespace {

const std::string kernel_head =
    ".entry k(.param .u64 k_param_0, .param .u8 k_param_1, .param .s16 k_param_2, .param .align 8 .b8 "
    "k_param_3[24]) {\n"
    ".reg .pred %p<4>; .reg .b16 %rs<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<4>; .reg .f64 "
    "%fd<4>;\n";

const CodeFunction& first(const std::shared_ptr<const Code>& code) {
  REQUIRE(code);
  return *code->functions.front();
}

}  // namespace

TEST_CASE("an immediate takes the type of its instruction") {
  auto bits = [](ptx::Type literal, uint64_t value, ptx::Type type) {
    ptx::Operand o;
    o.kind = ptx::Operand::Kind::immediate;
    o.literal = literal;
    o.bits = value;
    return immediate_bits(o, type);
  };
  CHECK(bits(ptx::Type::f64, 0x3ff8000000000000, ptx::Type::f32) == 0x3fc00000);
  CHECK(bits(ptx::Type::f64, 0x3ff8000000000000, ptx::Type::f64) == 0x3ff8000000000000);
  CHECK(bits(ptx::Type::f64, 0x3ff8000000000000, ptx::Type::b64) == 0x3ff8000000000000);
  CHECK(bits(ptx::Type::f32, 0x3fc00000, ptx::Type::f64) == 0x3ff8000000000000);
  CHECK(bits(ptx::Type::f32, 0x3fc00000, ptx::Type::b32) == 0x3fc00000);
  CHECK(bits(ptx::Type::s64, uint64_t(-2), ptx::Type::f32) == 0xc0000000);
  CHECK(bits(ptx::Type::s64, uint64_t(-2), ptx::Type::s64) == uint64_t(-2));
}

TEST_CASE("equal constants share one slot, widths do not") {
  const auto code =
      test::decoded(test::header + kernel_head +
                    "add.s32 %r1, %r2, 7; add.s32 %r3, %r1, 7; add.s64 %rd1, %rd2, 7;\n"
                    "add.s32 %r4, %r3, -1; add.u32 %r4, %r4, 0xffffffff; mov.f32 %f1, 1.0; ret; }\n");
  const CodeFunction& k = first(code);
  const auto& i = k.instructions;
  CHECK(i[0].b == i[1].b);
  CHECK(i[0].b != i[2].b);
  CHECK(i[3].b == i[4].b);
  REQUIRE(init_at(k, i[2].b));
  CHECK(init_at(k, i[2].b)->wide);
  CHECK(init_at(k, i[2].b)->bits == 7);
  CHECK(init_at(k, i[3].b)->bits == 0xffffffff);
  CHECK(init_at(k, i[5].a)->bits == 0x3f800000);
}

TEST_CASE("loads of a kernel's parameters become moves from slots that the launch fills") {
  const auto code = test::decoded(
      test::header + kernel_head +
      "ld.param.u64 %rd1, [k_param_0]; ld.param.u8 %rs1, [k_param_1]; ld.param.s8 %r1, [k_param_1];\n"
      "ld.param.s16 %rd2, [k_param_2]; ld.param.f32 %f1, [k_param_3+4]; ld.param.u64 %rd3, [k_param_3+16];\n"
      "@%p1 ld.param.u64 %rd4, [k_param_0+0]; ret; }\n");
  const CodeFunction& k = first(code);
  CHECK(k.parameter_bytes == 40);
  REQUIRE(k.place("k_param_3"));
  CHECK(k.place("k_param_3")->offset == 16);
  CHECK(k.place("k_param_3")->among_parameters);
  struct Row {
    uint64_t at;
    uint32_t bytes;
    bool sign, wide;
  };
  const Row rows[] = {{0, 8, false, true},   {8, 1, false, false}, {8, 1, true, false}, {10, 2, true, true},
                      {20, 4, false, false}, {32, 8, false, true}, {0, 8, false, true}};
  for (size_t n = 0; n < std::size(rows); ++n) {
    INFO(n << "\n" << dump(k));
    const SlotInit* init = init_at(k, k.instructions[n].a);
    REQUIRE(init);
    CHECK(init->kind == SlotInit::Kind::parameter);
    CHECK(init->bits == rows[n].at);
    CHECK(init->bytes == rows[n].bytes);
    CHECK(init->sign_extend == rows[n].sign);
    CHECK(init->wide == rows[n].wide);
  }
  CHECK(k.instructions[0].a == k.instructions[6].a);
  CHECK(k.instructions[6].guard != 0);
  CHECK(code->sites[k.instructions[1].site].name == "ld.param.u8");
}

TEST_CASE("parameters that cannot be folded go by their address") {
  const auto code =
      test::decoded(test::header + kernel_head +
                    "mov.b64 %rd1, k_param_3; ld.param.u32 %r1, [%rd1+4];\n"
                    "ld.param.v2.u32 {%r2, %r3}, [k_param_3]; ld.param.u64 %rd2, [k_param_3+20]; ret; }\n");
  const CodeFunction& k = first(code);
  const SlotInit* address = init_at(k, k.instructions[0].a);
  REQUIRE(address);
  CHECK(address->kind == SlotInit::Kind::symbol);
  CHECK(address->name == "k_param_3");
  CHECK(address->wide);
  CHECK(k.instructions[1].imm == 4);
  CHECK(init_at(k, k.instructions[2].b)->kind == SlotInit::Kind::symbol);
  CHECK(init_at(k, k.instructions[3].a)->kind == SlotInit::Kind::symbol);  // reaches past the end
}

TEST_CASE("special registers and addresses are slots too") {
  const auto code =
      test::decoded(test::header + ".global .u32 g[8];\n" + kernel_head +
                    ".local .align 8 .b8 depot[40]; .shared .b8 s[16];\n"
                    "mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.x; mov.u64 %rd1, g+8; mov.u64 %rd2, depot;\n"
                    "mov.u64 %rd3, depot+16; mov.u64 %rd4, s; ret; }\n");
  const CodeFunction& k = first(code);
  const auto& i = k.instructions;
  CHECK(i[0].a == i[1].a);
  CHECK(init_at(k, i[0].a)->kind == SlotInit::Kind::special);
  CHECK(init_at(k, i[0].a)->name == "%tid.x");
  CHECK(init_at(k, i[2].a)->kind == SlotInit::Kind::symbol);
  CHECK(init_at(k, i[2].a)->addend == 8);
  CHECK(init_at(k, i[3].a)->kind == SlotInit::Kind::local);
  CHECK(init_at(k, i[3].a)->bits == k.place("depot")->offset);
  CHECK(init_at(k, i[4].a)->addend == 16);
  CHECK(init_at(k, i[5].a)->kind == SlotInit::Kind::symbol);
  CHECK(k.place("s") == nullptr);
  CHECK(k.depot_bytes == 40);
  CHECK(k.local_bytes == 48);
}

TEST_CASE("slots that are filled do not overlap registers or each other, and lie inside the frame") {
  const auto code = test::decoded(
      test::header + kernel_head +
      "mov.u32 %r1, %tid.x; ld.param.u64 %rd1, [k_param_0]; add.s32 %r2, %r1, 5;\n"
      "add.s64 %rd2, %rd1, 9; setp.lt.s32 %p1, %r1, 0; @%p1 st.global.u32 [%rd2], %r2; ret; }\n");
  const CodeFunction& k = first(code);
  std::vector<int> owners(k.frame_bytes, 0);
  for (const SlotInit& init : k.inits) {
    const uint32_t bytes = init.wide ? 256 : 128;
    CHECK(init.offset % 64 == 0);
    REQUIRE(init.offset + bytes <= k.frame_bytes);
    for (uint32_t b = 0; b < bytes; ++b) CHECK(++owners[init.offset + b] == 1);
  }
  for (const Inst& inst : k.instructions) {
    if (inst.dst && !init_at(k, inst.dst)) CHECK(owners[inst.dst] == 0);
  }
  CHECK(k.inits.front().offset == 0);
  CHECK(k.inits.front().bits == 0);
}

TEST_CASE("blocks end in a terminator; added jumps are marked and not counted") {
  const auto code =
      test::decoded(test::header + kernel_head +
                    "mov.u32 %r1, 0; LOOP: add.s32 %r1, %r1, 1; @%p1 bra LOOP; mov.u32 %r2, 1; }\n");
  const CodeFunction& k = first(code);
  INFO(dump(k));
  REQUIRE(k.blocks.size() == 4);
  CHECK(k.blocks[0].count == 2);
  CHECK(k.blocks[0].counted == 1);
  CHECK(k.instructions[1].imm == 1);
  CHECK(code->sites[k.instructions[1].site].synthetic);
  CHECK(k.blocks[1].count == 2);
  CHECK(k.blocks[1].counted == 2);
  CHECK(k.blocks[3].counted == 0);
  CHECK(code->sites[k.instructions.back().site].name == "ret");
  uint32_t total = 0;
  for (uint32_t b = 0; b < k.blocks.size(); ++b) {
    CHECK(k.blocks[b].first == total);
    for (uint32_t n = 0; n < k.blocks[b].count; ++n) CHECK(k.block_of[total + n] == b);
    total += k.blocks[b].count;
  }
  CHECK(total == k.instructions.size());
  CHECK(k.source_index.size() == total);
}

TEST_CASE("what is not known fails when reached, by name, and touches nothing") {
  const auto code =
      test::decoded(test::header + kernel_head +
                    ".loc 1 5 3\nfrobnicate.s32 %r1, %r2; add.s32 %r3, <%r1>; ret; }\n.file 1 \"a.cu\"\n");
  const CodeFunction& k = first(code);
  REQUIRE(k.instructions.size() == 3);
  CHECK(k.instructions[0].full == unsupported_instruction);
  CHECK(k.instructions[0].masked == unsupported_instruction);
  const Site& site = code->sites[k.instructions[0].site];
  CHECK(site.name == "frobnicate.s32");
  REQUIRE(site.point >= 0);
  CHECK(code->module->points[size_t(site.point)].line == 5);
  CHECK(k.instructions[1].full == unsupported_instruction);
  CHECK(k.instructions[2].full != unsupported_instruction);
  CHECK(dump(k).find("frobnicate.s32") != std::string::npos);
  CHECK(dump(k).find("unsupported") != std::string::npos);
}

TEST_CASE("arguments of different calls share local bytes, a function's own do not") {
  const auto code = test::decoded(test::header +
                                  ".func (.param .b32 out) f(.param .b64 in0, .param .b32 in1) {\n"
                                  ".local .align 16 .b8 depot[20];\n"
                                  "{ .param .b64 param0; .param .b32 param1; call f, (param0, param1); }\n"
                                  "{ .param .b32 param0; call f, (param0); } ret; }\n");
  const CodeFunction& f = first(code);
  auto place = [&](const char* name) {
    INFO(name);
    REQUIRE(f.place(name));
    CHECK_FALSE(f.place(name)->among_parameters);
    return f.place(name)->offset;
  };
  CHECK(place("in0") == 0);
  CHECK(place("in1") == 8);
  CHECK(place("out") == 12);
  CHECK(place("depot") == 16);
  CHECK(place("param0") == 40);
  CHECK(place("param1") == 48);
  CHECK(place("param0$1") == 36);
  CHECK(f.local_bytes == 64);
}
