// Variables: spaces, sizes, initial values, addresses in them, and the learner's names.
#include <cstring>

#include "catch.h"
#include "simt/ptx/module.h"
#include "simt/ptx/names.h"

using namespace warpbook;

namespace {

ptx::Module parse_ok(const std::string& text) {
  auto module = ptx::parse(".version 9.0\n.target sm_80\n.address_size 64\n" + text);
  INFO((module ? std::string() : module.error().message));
  REQUIRE(module.ok());
  return std::move(module).value();
}

template <class T>
T element(const ptx::Variable& v, size_t index) {
  T value;
  REQUIRE(v.initial.size() >= (index + 1) * sizeof(T));
  std::memcpy(&value, v.initial.data() + index * sizeof(T), sizeof(T));
  return value;
}

}  // namespace

TEST_CASE("variables have space, type, size and alignment") {
  const ptx::Module m = parse_ok(
      ".global .align 4 .u32 counter;\n.visible .const .align 8 .f64 table[3][2];\n"
      ".extern .shared .align 16 .b8 dynamic[];\n.shared .v4 .f32 quad;\n"
      ".weak .global .attribute(.managed) .align 4 .b32 a, b[2];\n.common .global .u16 c;\n");
  CHECK(m.variable("counter")->bytes == 4);
  CHECK(m.variable("counter")->initial.empty());
  CHECK(m.variable("table")->space == ptx::Space::constant);
  CHECK(m.variable("table")->bytes == 48);
  CHECK(m.variable("dynamic")->external);
  CHECK(m.variable("dynamic")->bytes == 0);
  CHECK(m.variable("dynamic")->alignment == 16);
  CHECK(m.variable("quad")->bytes == 16);
  CHECK(m.variable("quad")->alignment == 16);
  CHECK_FALSE(m.variable("quad")->external);
  CHECK(m.variable("a")->bytes == 4);
  CHECK(m.variable("b")->bytes == 8);
  CHECK(m.variable("c")->alignment == 2);
}

TEST_CASE("initial values: trailing zeros left out, rows, floats") {
  const ptx::Module m = parse_ok(
      ".global .align 1 .b8 text[6] = {104, 105, 37};\n"
      ".global .align 4 .u32 rows[3][2] = {{1}, {3, 4}};\n"
      ".global .f32 floats[4] = {0f3F800000, 2.5, -1, 0d4008000000000000};\n"
      ".global .s64 wide = -2;\n.global .u16 half[] = {1, 2, 3};\n.global .v2 .u32 pairs[2] = {{1, 2}, "
      "{3}};\n"
      ".global .align 8 .f64 d[2] = {0d3FF0000000000000, 0.5};\n");
  const ptx::Variable& text = *m.variable("text");
  REQUIRE(text.initial.size() == 6);
  CHECK(text.initial == std::vector<uint8_t>{104, 105, 37, 0, 0, 0});
  const ptx::Variable& rows = *m.variable("rows");
  CHECK(element<uint32_t>(rows, 0) == 1);
  CHECK(element<uint32_t>(rows, 1) == 0);
  CHECK(element<uint32_t>(rows, 2) == 3);
  CHECK(element<uint32_t>(rows, 3) == 4);
  CHECK(element<uint32_t>(rows, 5) == 0);
  const ptx::Variable& floats = *m.variable("floats");
  CHECK(element<float>(floats, 0) == 1.0f);
  CHECK(element<float>(floats, 1) == 2.5f);
  CHECK(element<float>(floats, 3) == 3.0f);
  CHECK(element<int64_t>(*m.variable("wide"), 0) == -2);
  CHECK(m.variable("half")->bytes == 6);
  CHECK(element<uint32_t>(*m.variable("pairs"), 2) == 3);
  CHECK(element<double>(*m.variable("d"), 1) == 0.5);
}

TEST_CASE("addresses among initial values") {
  const ptx::Module m = parse_ok(
      ".global .u32 x[4];\n.global .align 8 .u64 table[4] = {0, x, x+8, generic(x)+4};\n"
      ".global .align 8 .b8 packed[16] = {7, 0, 0, 0, 0, 0, 0, 0, 0xFF(generic(x)), 0xFF00(generic(x)), "
      "0xFF0000(generic(x)), 0xFF000000(generic(x)), 0xFF00000000(generic(x)), 0xFF0000000000(generic(x)), "
      "0xFF000000000000(generic(x)), 0xFF00000000000000(generic(x))};\n.global .u64 single = x;\n");
  const ptx::Variable& table = *m.variable("table");
  REQUIRE(table.relocations.size() == 3);
  CHECK(table.relocations[0].at == 8);
  CHECK(table.relocations[0].symbol == "x");
  CHECK(table.relocations[0].bytes == 8);
  CHECK_FALSE(table.relocations[0].generic);
  CHECK(table.relocations[1].addend == 8);
  CHECK(table.relocations[2].generic);
  CHECK(table.relocations[2].addend == 4);
  const ptx::Variable& packed = *m.variable("packed");
  REQUIRE(packed.relocations.size() == 1);
  CHECK(packed.relocations[0].at == 8);
  CHECK(packed.relocations[0].bytes == 8);
  CHECK(packed.relocations[0].generic);
  CHECK(packed.initial[0] == 7);
  CHECK(m.variable("single")->relocations.size() == 1);
}

TEST_CASE("a definition replaces its declaration") {
  const ptx::Module m = parse_ok(".extern .global .u32 g;\n.global .u32 g = 5;\n");
  REQUIRE(m.variables.size() == 1);
  CHECK_FALSE(m.variables[0].external);
  CHECK(element<uint32_t>(m.variables[0], 0) == 5);
}

TEST_CASE("variables of functions know their owner") {
  const ptx::Module m = parse_ok(
      ".entry k() {\n.local .align 8 .b8 	__local_depot0[24];\n// demoted variable\n"
      ".shared .align 4 .b8 _ZZ1kE4tile[1024];\nret;\n}\n");
  const ptx::Function& k = m.functions[0];
  REQUIRE(k.locals.size() == 2);
  CHECK(k.locals[0].space == ptx::Space::local);
  CHECK(k.locals[0].bytes == 24);
  CHECK(k.locals[1].space == ptx::Space::shared);
  CHECK(k.locals[1].display == "tile");
  CHECK(k.locals[1].function == "k");
}

TEST_CASE("names as the learner wrote them") {
  using ptx::display_name;
  CHECK(display_name("_ZZ8mm_tiledE2sa") == "sa");
  CHECK(display_name("_ZZ6kernelPKfS0_PfiE4tile") == "tile");
  CHECK(display_name("_ZZN3app4stepEPfE4tile_0") == "tile");
  CHECK(display_name("_ZZ4tileILi16EEvPfE7scratch") == "scratch");
  CHECK(display_name("_ZZ1kE3bufE") == "_ZZ1kE3bufE");
  CHECK(display_name("_ZZ1kE5cache__10_") == "cache");
  CHECK(display_name("_ZZ1kE2sa$1") == "sa");
  CHECK(display_name("_ZN3app5tableE") == "table");
  CHECK(display_name("_ZN5outerI5innerLi3EE5valueE") == "value");
  CHECK(display_name("_ZL5table") == "table");
  CHECK(display_name("coefficients") == "coefficients");
  CHECK(display_name("$str$1") == "$str$1");
  CHECK(display_name("_Z") == "_Z");
  CHECK(display_name("_ZZ1kE99999999999999999999999a") == "_ZZ1kE99999999999999999999999a");

  using ptx::display_function_name;
  CHECK(display_function_name("_ZN3cub6detail3sumIfEEvPT_") == "cub::detail::sum");
  CHECK(display_function_name("_Z3addff") == "add");
  CHECK(display_function_name("_ZNK1C4areaEv") == "C::area");
  CHECK(display_function_name("_ZN1QC1Ef") == "Q::Q");
  CHECK(display_function_name("_ZN3app4_padIEv") == "_ZN3app4_padIEv");  // cut off
  CHECK(display_function_name("main") == "main");
}
