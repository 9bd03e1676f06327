// Loading a library, finding a symbol, and saying why not.
#include "base/dynamic_library.h"
#include "catch.h"

using namespace warpbook;

TEST_CASE("a library that is there gives its symbols and its path") {
  auto library = DynamicLibrary::open("libm.so.6");
  REQUIRE(library.ok());
  auto* cosine = reinterpret_cast<double (*)(double)>(library->symbol("cos"));
  REQUIRE(cosine != nullptr);
  CHECK(cosine(0.0) == 1.0);
  CHECK(library->symbol("no_such_function") == nullptr);
  CHECK(library->path().find("libm.so") != std::string::npos);
  DynamicLibrary moved = std::move(*library);
  CHECK(moved.symbol("cos") != nullptr);
}

TEST_CASE("a library that is not there is told by name") {
  const auto library = DynamicLibrary::open("libnowhere.so.99");
  REQUIRE_FALSE(library.ok());
  CHECK(library.error().trouble == Trouble::not_found);
  CHECK(library.error().message.find("libnowhere.so.99") != std::string::npos);
}
