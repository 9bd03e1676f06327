// A modelled figure has three digits, in groups, and millions in a word.
#include "catch.h"
#include "result/rounded.h"

using warpbook::rounded_figure;

TEST_CASE("a modelled figure is rounded to three digits") {
  CHECK(rounded_figure(0) == "0");
  CHECK(rounded_figure(0.25) == "0.25");
  CHECK(rounded_figure(34.56) == "34.6");
  CHECK(rounded_figure(999.4) == "999");
  CHECK(rounded_figure(1234) == "1,230");
  CHECK(rounded_figure(12345.6) == "12,300");
  CHECK(rounded_figure(-12345.6) == "-12,300");
  CHECK(rounded_figure(456'789) == "457,000");
}

TEST_CASE("a large modelled figure says million, and never 1,000 of the step below") {
  CHECK(rounded_figure(999.6) == "1,000");
  CHECK(rounded_figure(9'996) == "10,000");
  CHECK(rounded_figure(99'960) == "100,000");
  CHECK(rounded_figure(999'600) == "1 million");
  CHECK(rounded_figure(123'456'789) == "123 million");
  CHECK(rounded_figure(999'600'000) == "1 billion");
}
