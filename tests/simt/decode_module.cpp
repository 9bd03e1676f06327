// What depends on the whole module: who calls whom, what blocks can see of each other, a kernel's shared
// arrays.
#include "catch.h"
#include "decode_table.h"

using namespace warpbook;
using namespace warpbook::simt;

namespace {

const std::string regs = ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<4>;\n";

bool communicates(const std::string& body) {
  const auto code =
      test::decoded(test::header + ".shared .u32 s;\n.entry k() {\n" + regs + body + "\nret; }\n");
  REQUIRE(code);
  CHECK(code->blocks_may_communicate == code->function("k")->blocks_may_communicate);
  return code->blocks_may_communicate;
}

}  // namespace

TEST_CASE("recursion is found directly, in circles and through pointers") {
  const auto code = test::decoded(test::header +
                                  ".func self() { call self; ret; }\n.func ping() ;\n"
                                  ".func pong() { call ping; ret; }\n.func ping() { call pong; ret; }\n"
                                  ".func leaf() { ret; }\n.func plain() { call leaf; ret; }\n"
                                  ".func taken() { .reg .b64 %rd<2>; call %rd1, (), proto; ret; }\n"
                                  ".func bystander() { .reg .b64 %rd<2>; call %rd1; ret; }\n"
                                  ".global .u64 table[2] = {leaf, taken};\n"
                                  ".entry k() { call plain; call self; ret; }\n");
  REQUIRE(code);
  auto recursive = [&](const char* name) { return code->function(name)->recursive; };
  CHECK(recursive("self"));
  CHECK(recursive("ping"));
  CHECK(recursive("pong"));
  CHECK_FALSE(recursive("leaf"));
  CHECK_FALSE(recursive("plain"));
  CHECK(recursive("taken"));
  CHECK_FALSE(recursive("bystander"));
  CHECK_FALSE(recursive("k"));
}

TEST_CASE("instructions through which blocks can see each other") {
  CHECK(communicates("atom.global.add.u32 %r1, [%rd1], 1; st.global.u32 [%rd2], %r1;"));
  CHECK(communicates("atom.global.cas.b32 %r1, [%rd1], 0, 1;"));
  CHECK(communicates("atom.global.exch.b32 %r1, [%rd1], 5;"));
  CHECK(communicates("atom.global.inc.u32 %r1, [%rd1], 5;"));
  CHECK(communicates("atom.global.add.f32 %f1, [%rd1], 0f3F800000;"));
  CHECK(communicates("red.global.add.f32 [%rd1], %f1;"));
  CHECK(communicates("atom.add.u32 %r1, [%rd1], 1; st.global.u32 [%rd2], %r1;"));
  CHECK(communicates("ld.volatile.global.u32 %r1, [%rd1];"));
  CHECK(communicates("ld.acquire.gpu.u32 %r1, [%rd1];"));
  CHECK(communicates("st.release.gpu.global.u32 [%rd1], %r1;"));

  CHECK_FALSE(communicates("atom.global.add.u32 %r1, [%rd1], 1;"));
  CHECK_FALSE(communicates("atom.global.max.s32 %r1, [%rd1], 1;"));
  CHECK_FALSE(communicates("atom.global.add.u32 _, [%rd1], 1;"));
  CHECK_FALSE(communicates("red.global.or.b32 [%rd1], %r1;"));
  CHECK_FALSE(communicates("atom.shared.add.u32 %r1, [s], 1; st.global.u32 [%rd1], %r1;"));
  CHECK_FALSE(communicates("ld.volatile.shared.u32 %r1, [s];"));
  CHECK_FALSE(communicates("ld.global.u32 %r1, [%rd1]; st.global.u32 [%rd1], %r1;"));
  CHECK_FALSE(communicates("ret; atom.global.exch.b32 %r1, [%rd1], 5;"));  // never reached
}

TEST_CASE("a callee's communication is its caller's") {
  const auto code =
      test::decoded(test::header + ".func f() {\n" + regs + "ld.volatile.u32 %r1, [%rd1]; ret; }\n" +
                    ".entry a() { call f; ret; }\n.entry b() { ret; }\n");
  REQUIRE(code);
  CHECK(code->blocks_may_communicate);
  CHECK(code->function("a")->blocks_may_communicate);
  CHECK_FALSE(code->function("b")->blocks_may_communicate);
}

TEST_CASE("kernels with their parameters and shared arrays") {
  const auto module = load_module(
      test::header +
      ".shared .align 4 .b8 seen[10];\n.shared .align 8 .b8 unseen[100];\n"
      ".shared .align 8 .b8 deep[16];\n.extern .shared .align 16 .b8 dynamic[];\n"
      ".func helper() { .reg .b64 %rd<2>; mov.u64 %rd1, deep; ret; }\n"
      ".entry k(.param .u64 p0, .param .u32 p1, .param .align 4 .b8 p2[12], .param .b64 p3) {\n" +
      regs +
      ".shared .align 16 .b8 own[32];\n"
      "ld.shared.u32 %r1, [seen+4]; mov.u64 %rd1, own; mov.u64 %rd2, dynamic; call helper; ret; }\n"
      ".entry idle() { ret; }\n");
  REQUIRE(module.ok());
  const auto kernels = kernels_of(**module);
  REQUIRE(kernels.size() == 2);
  CHECK(kernels[0].name == "k");
  REQUIRE(kernels[0].parameters.size() == 4);
  CHECK(kernels[0].parameters[0].is_pointer);
  CHECK_FALSE(kernels[0].parameters[1].is_pointer);
  CHECK(kernels[0].parameters[2].bytes == 12);
  CHECK(kernels[0].parameters[2].alignment == 4);
  CHECK_FALSE(kernels[0].parameters[2].is_pointer);
  CHECK(kernels[0].parameters[3].is_pointer);
  CHECK(kernels[0].static_shared_bytes == 64);  // 10, to 16, 16 of deep, 32 of own
  CHECK(kernels[1].static_shared_bytes == 0);
}

TEST_CASE("a module's code is decoded once a level") {
  const auto module = load_module(test::header + ".entry k() { ret; }\n");
  REQUIRE(module.ok());
  const auto code = (*module)->code(Level::run);
  REQUIRE(code);
  CHECK(code == (*module)->code(Level::run));
  CHECK(code != (*module)->code(Level::check));
  CHECK(code->function("k"));
  CHECK_FALSE(code->function("missing"));
}

TEST_CASE("the instruction table of this machine is sorted") {
  const auto families = families_for_this_machine();
  REQUIRE_FALSE(families.empty());
  for (size_t i = 1; i < families.size(); ++i) CHECK(families[i - 1].opcode < families[i].opcode);
  CHECK((instruction_set_name() == "avx2" || instruction_set_name() == "plain"));
}
