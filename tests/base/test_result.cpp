// How errors read, and that a Result holds one or the other.
#include "base/result.h"
#include "catch.h"

using namespace warpbook;

TEST_CASE("an error reads with as much of its place as is known") {
  CHECK(to_string({"It broke.", Trouble::io, {}, {}}) == "It broke.");
  CHECK(to_string({"It broke.", Trouble::io, {"a.cu", 3, 7}, {}}) == "a.cu:3:7: It broke.");
  CHECK(to_string({"It broke.", Trouble::io, {"a.cu", 3, 0}, "mend it"}) == "a.cu:3: It broke. (mend it)");
  CHECK(to_string({"It broke.", Trouble::io, {"a.cu", 0, 9}, {}}) == "a.cu: It broke.");
}

TEST_CASE("a result holds a value or an error") {
  const Result<std::string> good = std::string("value");
  CHECK(good.ok());
  CHECK(*good == "value");
  CHECK(good->size() == 5);
  const Result<int> bad = Error{"no", Trouble::limit, {}, {}};
  CHECK_FALSE(bad);
  CHECK(bad.error().trouble == Trouble::limit);
}
