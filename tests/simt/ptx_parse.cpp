// Statements and operands of PTX as text, every form that the compiler or inline assembly brings.
#include "catch.h"
#include "simt/ptx/module.h"

using namespace warpbook;
using Kind = ptx::Operand::Kind;

namespace {

ptx::Module parse_ok(const std::string& text) {
  auto module = ptx::parse(text);
  INFO((module ? std::string() : module.error().message));
  REQUIRE(module.ok());
  return std::move(module).value();
}

/// Parses `body` as the body of a kernel with a good stock of registers.
ptx::Function body_of(const std::string& body) {
  ptx::Module module = parse_ok(
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 k_param_0) {\n"
      ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .b16 %rs<4>;\n" +
      body + "\n}\n");
  REQUIRE(module.functions.size() == 1);
  return module.functions.front();
}

ptx::Instruction one(const std::string& text) {
  ptx::Function f = body_of(text);
  REQUIRE(f.body.size() == 1);
  CHECK_FALSE(f.body[0].malformed);
  return f.body[0];
}

std::string register_name(const ptx::Function& f, const ptx::Operand& operand) {
  REQUIRE(operand.kind == Kind::reg);
  return f.registers[operand.index].name;
}

}  // namespace

TEST_CASE("types have widths and names") {
  CHECK(ptx::type_named(".u32") == ptx::Type::u32);
  CHECK(ptx::type_named("bf16x2") == ptx::Type::bf16x2);
  CHECK(ptx::type_named("pred") == ptx::Type::pred);
  CHECK(ptx::type_named("uni") == ptx::Type::none);
  CHECK(ptx::type_named("u33") == ptx::Type::none);
  CHECK(ptx::bits_of(ptx::Type::f16x2) == 32);
  CHECK(ptx::bits_of(ptx::Type::b128) == 128);
  CHECK(ptx::is_signed(ptx::Type::s8));
  CHECK_FALSE(ptx::is_signed(ptx::Type::b64));
  CHECK(ptx::is_float(ptx::Type::bf16));
}

TEST_CASE("an instruction keeps opcode, modifiers, guard and line") {
  const ptx::Function f = body_of("\n@!%p2 ld.global.L1::no_allocate.v4.f32 {%f1, %f2, %f3, _}, [%rd1+-16];");
  REQUIRE(f.body.size() == 1);
  const ptx::Instruction& i = f.body[0];
  CHECK(i.opcode == "ld");
  CHECK(i.modifiers == std::vector<std::string>{"global", "L1::no_allocate", "v4", "f32"});
  CHECK(i.full_name() == "ld.global.L1::no_allocate.v4.f32");
  CHECK(i.type() == ptx::Type::f32);
  CHECK(i.type(1) == ptx::Type::none);
  REQUIRE(i.guard >= 0);
  CHECK(f.registers[size_t(i.guard)].name == "%p2");
  CHECK(i.guard_negated);
  CHECK(i.ptx_line == 7);
  REQUIRE(i.operands.size() == 2);
  CHECK(i.operands[0].kind == Kind::vector);
  REQUIRE(i.operands[0].parts.size() == 4);
  CHECK(register_name(f, i.operands[0].parts[2]) == "%f3");
  CHECK(i.operands[0].parts[3].kind == Kind::discard);
  CHECK(i.operands[1].kind == Kind::address);
  CHECK(i.operands[1].offset == -16);
  CHECK(register_name(f, i.operands[1].parts[0]) == "%rd1");
}

TEST_CASE("numbers of every notation") {
  struct Row {
    const char* text;
    ptx::Type literal;
    uint64_t bits;
  };
  const Row rows[] = {
      {"0", ptx::Type::s64, 0},
      {"42", ptx::Type::s64, 42},
      {"-1", ptx::Type::s64, ~uint64_t(0)},
      {"- 7", ptx::Type::s64, uint64_t(-7)},
      {"0x1F", ptx::Type::s64, 31},
      {"0xffffffffffffffff", ptx::Type::u64, ~uint64_t(0)},
      {"0b101", ptx::Type::s64, 5},
      {"017", ptx::Type::s64, 15},
      {"5U", ptx::Type::u64, 5},
      {"0x5410U", ptx::Type::u64, 0x5410},
      {"18446744073709551615", ptx::Type::u64, ~uint64_t(0)},
      {"-9223372036854775808", ptx::Type::u64, uint64_t(1) << 63},
      {"0f3F800000", ptx::Type::f32, 0x3f800000},
      {"0F40490FDB", ptx::Type::f32, 0x40490fdb},
      {"0dBFF0000000000000", ptx::Type::f64, 0xbff0000000000000},
      {"-0f3F800000", ptx::Type::f32, 0xbf800000},
      {"1.5", ptx::Type::f64, 0x3ff8000000000000},
      {"-2.5e1", ptx::Type::f64, 0xc039000000000000},
      {"1e3", ptx::Type::f64, 0x408f400000000000},
      {".5", ptx::Type::f64, 0x3fe0000000000000},
      {"WARP_SZ", ptx::Type::s64, 32},
  };
  for (const Row& row : rows) {
    INFO(row.text);
    const ptx::Instruction i = one(std::string("mov.b64 %rd1, ") + row.text + ";");
    REQUIRE(i.operands.size() == 2);
    CHECK(i.operands[1].kind == Kind::immediate);
    CHECK(i.operands[1].literal == row.literal);
    CHECK(i.operands[1].bits == row.bits);
  }
}

TEST_CASE("constant expressions stand where literals do") {
  struct Row {
    const char* text;
    ptx::Type literal;
    uint64_t bits;
  };
  const Row rows[] = {
      {"4*4", ptx::Type::s64, 16},
      {"1 + 2 * 3 - 4", ptx::Type::s64, 3},
      {"-(8/3)", ptx::Type::s64, uint64_t(-2)},
      {"7 - 2 - 1", ptx::Type::s64, 4},
      {"1<<4|0x3&2", ptx::Type::s64, 18},
      {"-16 >> 2", ptx::Type::s64, uint64_t(-4)},
      {"16U - 17", ptx::Type::u64, ~uint64_t(0)},
      {"5 < 3 ? 10 : 20 + 1", ptx::Type::s64, 21},
      {"3 >= 3 && !0", ptx::Type::s64, 1},
      {"~0 ^ 1", ptx::Type::s64, ~uint64_t(1)},
      {"-1 < 1U", ptx::Type::s64, 0},
      {"1 + (.u64) 2", ptx::Type::u64, 3},
      {"-9223372036854775807 / -1", ptx::Type::s64, 9223372036854775807},
      {"17 % 5 != 2", ptx::Type::s64, 0},
  };
  for (const Row& row : rows) {
    INFO(row.text);
    const ptx::Instruction i = one(std::string("mov.b64 %rd1, ") + row.text + ";");
    REQUIRE(i.operands.size() == 2);
    CHECK(i.operands[1].kind == Kind::immediate);
    CHECK(i.operands[1].literal == row.literal);
    CHECK(i.operands[1].bits == row.bits);
  }
  const ptx::Instruction load = one("ld.global.u32 %r1, [%rd1 + 4*4 - 2*3];");
  CHECK(load.operands[1].offset == 10);
  const ptx::Module sizes =
      parse_ok(".version 8.0\n.target sm_80\n.global .align 4 .u32 table[2*2+1] = {1+1, 3*3, 1<<4};\n");
  REQUIRE(sizes.variables.size() == 1);
  CHECK(sizes.variables[0].bytes == 20);
  REQUIRE(sizes.variables[0].initial.size() == 20);
  CHECK(sizes.variables[0].initial[4] == 9);
  CHECK(sizes.variables[0].initial[8] == 16);
  // Nothing to compute: the instruction is kept, and fails when it is reached.
  CHECK(body_of("mov.b64 %rd1, 1/0;").body[0].malformed);
  CHECK(body_of("mov.b64 %rd1, " + std::string(500, '(') + "1;").body[0].malformed);
}

TEST_CASE("operands of every kind") {
  SECTION("pair, negation, special registers") {
    const ptx::Function f = body_of(
        "setp.lt.and.s32 %p1|%p2, %r1, 5, !%p3;\n"
        "shfl.sync.down.b32 %r2|%p1, %r1, 1, 31, -1;\n"
        "mov.u32 %r1, %tid.x; mov.u64 %rd1, %clock64; mov.u32 %r1, %envreg2; sub.s32 %r1, %r2, -%r3;");
    CHECK(f.body[0].operands[0].kind == Kind::pair);
    CHECK(register_name(f, f.body[0].operands[0].parts[1]) == "%p2");
    CHECK(f.body[0].operands[3].negated);
    CHECK(f.body[1].operands[0].kind == Kind::pair);
    CHECK(register_name(f, f.body[1].operands[0].parts[0]) == "%r2");
    CHECK(f.body[2].operands[1].kind == Kind::special);
    CHECK(f.body[2].operands[1].name == "%tid.x");
    CHECK(f.body[3].operands[1].name == "%clock64");
    CHECK(f.body[4].operands[1].name == "%envreg2");
    CHECK(f.body[5].operands[2].negated);
  }
  SECTION("addresses") {
    const ptx::Function f = body_of(
        ".shared .align 4 .b8 tile[64];\n"
        "ld.shared.f32 %f1, [tile+8]; ld.shared.f32 %f1, [tile]; ld.global.u32 %r1, [16];\n"
        "ld.param.u64 %rd1, [k_param_0+0]; mov.u64 %rd1, tile+12; st.global.u32 [%rd1 + 4 + -8], %r1;\n"
        "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}];");
    CHECK(f.body[0].operands[1].offset == 8);
    CHECK(f.body[0].operands[1].parts[0].kind == Kind::symbol);
    CHECK(f.body[0].operands[1].parts[0].name == "tile");
    CHECK(f.body[0].operands[1].parts[0].offset == 0);
    CHECK(f.body[1].operands[1].offset == 0);
    CHECK(f.body[2].operands[1].parts[0].kind == Kind::immediate);
    CHECK(f.body[2].operands[1].parts[0].bits == 16);
    CHECK(f.body[3].operands[1].parts[0].name == "k_param_0");
    CHECK(f.body[4].operands[1].kind == Kind::symbol);
    CHECK(f.body[4].operands[1].offset == 12);
    CHECK(f.body[5].operands[0].offset == -4);
    REQUIRE(f.body[6].operands[1].parts.size() == 2);
    CHECK(f.body[6].operands[1].parts[1].kind == Kind::vector);
  }
  SECTION("several vectors") {
    const ptx::Instruction i =
        one("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2}, {%r3}, "
            "{%f5,%f6,%f7,%f8};");
    REQUIRE(i.operands.size() == 4);
    CHECK(i.operands[2].parts.size() == 1);
    CHECK(i.operands[3].parts.size() == 4);
  }
  SECTION("vector registers and their elements") {
    const ptx::Function f =
        body_of(".reg .v4 .f32 v; ld.global.v4.f32 v, [%rd1]; mov.f32 %f1, v.y; mov.f32 %f2, v.a;");
    REQUIRE(f.body.size() == 3);
    CHECK(f.body[0].operands[0].kind == Kind::vector);
    CHECK(f.body[0].operands[0].parts.size() == 4);
    CHECK(register_name(f, f.body[1].operands[1]) == "v.y");
    CHECK(register_name(f, f.body[2].operands[1]) == "v.w");
  }
}

TEST_CASE("labels are found before and after they are defined, in their scope") {
  const ptx::Function f = body_of(
      "bra.uni DONE;\nLOOP: add.s32 %r1, %r1, 1;\n@%p1 bra LOOP;\n"
      "{ bra L; L: add.s32 %r1, %r1, 2; }\n{ L: add.s32 %r1, %r1, 3; bra L; }\nDONE:");
  REQUIRE(f.body.size() == 7);
  CHECK(f.body[0].operands[0].kind == Kind::label);
  CHECK(f.body[0].operands[0].index == 7);
  CHECK(f.body[2].operands[0].index == 1);
  CHECK(f.body[3].operands[0].index == 4);
  CHECK(f.body[6].operands[0].index == 5);
  CHECK(f.labels.at("DONE") == 7);
  CHECK(f.labels.size() == 4);
}

TEST_CASE("inner scopes have names of their own") {
  const ptx::Function f = body_of(
      "{ .reg .b32 t; mov.b32 t, 1; add.s32 %r1, t, t;\n"
      "  { .reg .b32 t; .reg .b32 %r<2>; mov.b32 t, 2; mov.b32 %r1, t; } mov.b32 %r2, t; }\n"
      "{ .reg .pred t; setp.eq.s32 t, %r1, 0; @t bra END; }\nEND: ret;");
  REQUIRE(f.body.size() == 8);
  const uint32_t outer = f.body[0].operands[0].index;
  const uint32_t inner = f.body[2].operands[0].index;
  CHECK(outer != inner);
  CHECK(f.registers[outer].name != f.registers[inner].name);
  CHECK(f.body[3].operands[0].index != f.body[1].operands[0].index);  // %r1 of the inner scope
  CHECK(f.registers[f.body[1].operands[0].index].name == "%r1");
  CHECK(f.body[4].operands[1].index == outer);
  CHECK(f.registers[size_t(f.body[6].guard)].type == ptx::Type::pred);
}

TEST_CASE("inline assembly in braces on one line") {
  const ptx::Function f = body_of(
      "// begin inline asm\n{add.f16 %rs1,%rs2,%rs3;\n}\n// end inline asm\n"
      "{.reg .pred p; setp.ne.b32 p, %r1, 0; selp.b32 %r2,1,0,p;}");
  REQUIRE(f.body.size() == 3);
  CHECK(f.body[0].full_name() == "add.f16");
  CHECK(f.body[2].operands.size() == 4);
}

TEST_CASE("calls: sequences, indirect calls, prototypes") {
  const ptx::Module module = parse_ok(R"(.version 9.0
.target sm_80
.address_size 64
.extern .func  (.param .b32 func_retval0) vprintf
(
	.param .b64 vprintf_param_0,
	.param .b64 vprintf_param_1
)
;
.func  (.param .b32 func_retval0) twice
(
	.param .b32 twice_param_0
)
;
.func  (.param .b32 func_retval0) twice(
	.param .b32 twice_param_0
)
{
	.reg .b32 	%r<3>;
	ld.param.u32 	%r1, [twice_param_0];
	st.param.b32 	[func_retval0+0], %r1;
	ret;
}
.visible .entry k(
	.param .u64 .ptr .global .align 16 k_param_0,
	.param .align 4 .b8 k_param_1[48]
)
.maxntid 64, 4, 1
.minnctapersm 2
{
	.reg .b32 	%r<3>;
	.reg .b64 	%rd<3>;
	{ // callseq 0, 0
	.reg .b32 temp_param_reg;
	.param .b32 param0;
	st.param.b32 	[param0+0], %r1;
	.param .b32 retval0;
	call.uni (retval0), 
	twice, 
	(
	param0
	);
	ld.param.b32 	%r2, [retval0+0];
	} // callseq 0
	{ // callseq 1, 0
	.reg .b32 temp_param_reg;
	.param .b32 param0;
	.param .b32 retval0;
	prototype_1 : .callprototype (.param .b32 _) _ (.param .b32 _, .param .align 8 .b8 _[16]);
	call (retval0), 
	%rd1, 
	(
	param0
	)
	, prototype_1;
	} // callseq 1
	{
	prototype_2 : .callprototype ()_ (.param .b64 _) .noreturn;
	call %rd1, (%rd2), prototype_2;
	}
	ret;
}
)");
  REQUIRE(module.functions.size() == 3);
  CHECK(module.version == "9.0");
  CHECK(module.target == "sm_80");
  CHECK(module.function("vprintf")->declared_only);
  const ptx::Function& twice = *module.function("twice");
  CHECK_FALSE(twice.declared_only);
  CHECK(twice.body.size() == 3);
  REQUIRE(twice.returns.size() == 1);
  CHECK(twice.returns[0].name == "func_retval0");

  const ptx::Function& k = *module.function("k");
  CHECK(k.entry);
  CHECK(k.max_threads == 256);
  REQUIRE(k.parameters.size() == 2);
  CHECK(k.parameters[0].pointer);
  CHECK(k.parameters[0].alignment == 8);
  CHECK(k.parameters[1].bytes == 48);
  CHECK(k.parameters[1].alignment == 4);
  REQUIRE(k.body.size() == 6);
  const ptx::Instruction& direct = k.body[1];
  REQUIRE(direct.operands.size() == 3);
  CHECK(direct.operands[0].kind == Kind::list);
  CHECK(direct.operands[1].kind == Kind::symbol);
  CHECK(direct.operands[1].name == "twice");
  CHECK(direct.operands[2].parts[0].name == "param0");
  const ptx::Instruction& indirect = k.body[3];
  REQUIRE(indirect.operands.size() == 4);
  CHECK(indirect.operands[1].kind == Kind::reg);
  CHECK(indirect.operands[2].parts[0].name == "param0$1");  // the second param0 of the function
  CHECK(indirect.operands[3].name == "prototype_1");
  REQUIRE(k.prototypes.contains("prototype_1"));
  CHECK(k.prototypes.at("prototype_1").parameters.size() == 2);
  CHECK(k.prototypes.at("prototype_1").parameters[1].bytes == 16);
  CHECK(k.prototypes.at("prototype_2").returns.empty());
  REQUIRE(k.locals.size() == 4);
  CHECK(k.locals[2].name == "param0$1");
  CHECK(k.locals[2].scope != k.locals[0].scope);
}

TEST_CASE("tables of branch targets name their labels") {
  const ptx::Function f = body_of("ts: .branchtargets A, B;\nbrx.idx %r1, ts;\nA: ret;\nB: trap;");
  REQUIRE(f.branch_targets.contains("ts"));
  const auto& names = f.branch_targets.at("ts");
  REQUIRE(names.size() == 2);
  CHECK(f.labels.at(names[0]) == 1);
  CHECK(f.labels.at(names[1]) == 2);
  CHECK(f.body[0].operands[1].name == "ts");
}

TEST_CASE("unknown things are kept or skipped") {
  const ptx::Function f = body_of(
      ".pragma \"nounroll\";\nfrobnicate.very.s32 %r1, %r2, {%r3};\n.unheard_of 5, \"x;y\" ;\n"
      "ld.weird.u32 %r1, <%r2>, 7;\nadd.s32 %r1, %r1, 1;");
  REQUIRE(f.body.size() == 3);
  CHECK(f.body[0].full_name() == "frobnicate.very.s32");
  CHECK_FALSE(f.body[0].malformed);
  CHECK(f.body[1].malformed);
  CHECK(f.body[1].full_name() == "ld.weird.u32");
  CHECK(f.body[2].opcode == "add");
  const ptx::Module module = parse_ok(
      ".version 9.9\n.target sm_999a, debug\n.new_thing { a { b } c }\n.other x, y;\n"
      ".lonely 1 2 3\n.global .u32 g;\n");
  CHECK(module.target == "sm_999a");
  CHECK(module.variable("g"));
}

TEST_CASE("text that is no PTX is an error with its line") {
  struct Row {
    const char* text;
    int line;
  };
  const Row rows[] = {
      {"", 1},
      {"int main() {}\n", 1},
      {".version 9.0\n.entry k()\n{\n  ret;\n", 5},
      {".version 9.0\n.entry k()\n{\n  add.s32 1, 2\n}\n", 5},
      {".version 9.0\n/* open\n", 2},
      {".version 9.0\n.entry k()\n{\n @%p1 bra L;\n}\n", 4},
      {".version 9.0\n.global .b8 x[4] = {1, 2, 3, 4, 5};\n", 2},
  };
  for (const Row& row : rows) {
    INFO(row.text);
    const auto module = ptx::parse(row.text);
    REQUIRE_FALSE(module.ok());
    CHECK(module.error().trouble == Trouble::bad_input);
    CHECK(module.error().where.line == row.line);
    CHECK(module.error().message.find("line " + std::to_string(row.line)) != std::string::npos);
  }
}
