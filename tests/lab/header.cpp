// The launch that a source carries in its leading comments.
#include "catch.h"
#include "lab/arguments.h"

using namespace warpbook;

TEST_CASE("Kernel, launch and arguments are read from the leading comments") {
  const auto header = parse_header(
      "// title: something else\n// kernel: scale<float, 4>\n// launch: grid=(4,2,1) block=(32,8) shared=96 "
      "optin=1\n"
      "// args: out=buf:f32[8]:zeros; n=i32:8;\n\n// A sentence.\n__global__ void scale() {}\n// args: "
      "late=i32:1\n",
      "a.cu");
  REQUIRE(header.ok());
  CHECK(header->kernel == std::string("scale<float, 4>"));
  REQUIRE(header->launch.has_value());
  CHECK(header->launch->grid == Dim3{4, 2, 1});
  CHECK(header->launch->block == Dim3{32, 8, 1});
  CHECK(header->launch->shared_bytes == 96);
  CHECK(header->launch->shared_optin);
  CHECK(header->args == std::vector<std::string>{"out=buf:f32[8]:zeros", "n=i32:8"});
}

TEST_CASE("A source without a header has none, whatever its line ends") {
  const auto none = parse_header("#include <cstdio>\n// launch: grid=1 block=1\n", "a.cu");
  REQUIRE(none.ok());
  CHECK_FALSE(none->launch.has_value());
  const auto windows =
      parse_header("\xEF\xBB\xBF// launch: grid=3 block=(5)\r\n// args: n=i32:1\r\n", "a.cu");
  REQUIRE(windows.ok());
  REQUIRE(windows->launch.has_value());
  CHECK(windows->launch->grid.x == 3);
  CHECK(windows->launch->block.x == 5);
  CHECK(windows->args == std::vector<std::string>{"n=i32:1"});
}

TEST_CASE("A launch line that cannot be read is an error with its line") {
  for (const char* line :
       {"// launch: grid=(1,2", "// launch: grid=many", "// launch: warps=3", "// launch: quickly",
        "// launch: shared=4", "// launch: grid=(1,2,3,4)", "// launch: grid=-1 block=1"}) {
    const auto header = parse_header(std::string("// title: x\n") + line + "\n", "a.cu");
    INFO(line);
    REQUIRE_FALSE(header.ok());
    CHECK(header.error().where.line == 2);
    CHECK(header.error().where.file == "a.cu");
  }
}
