// What the fuzz targets do with a text (tests/fuzz): it must do something, and end.
#include "support/any_module.h"

#include "catch.h"

using namespace warpbook;

TEST_CASE("a module of any kind is launched with small limits, and no module is none") {
  const std::string endless =
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n"
      "{\n.reg .b64 %rd<2>;\nagain:\nbra.uni again;\n}\n";
  CHECK(any_module::read(endless));
  CHECK(any_module::run(endless) == 1);
  CHECK_FALSE(any_module::read("no PTX"));
  CHECK(any_module::run("no PTX") == 0);
}
