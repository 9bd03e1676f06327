// Versions as numbers, to be compared.
#include "base/version.h"
#include "catch.h"

using warpbook::version_number;

TEST_CASE("a version of one or two parts is a number that can be compared, anything else is 0") {
  CHECK(version_number("8.6") == 86);
  CHECK(version_number("12.0") == 120);
  CHECK(version_number("9") == 90);
  CHECK(version_number("10.0") > version_number("9.0"));
  CHECK(version_number("") == 0);
  CHECK(version_number("8.x") == 0);
  CHECK(version_number("sm_80") == 0);
}
