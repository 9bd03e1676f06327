// Clocks: what is known of blocks, warps and lanes, joined and handed on.
#include "catch.h"
#include "simt/access/clock.h"

using namespace warpbook::simt;

TEST_CASE("a clock knows a block, a warp or a lane up to a moment") {
  const ClockShape shape(5000);
  Clock c;
  REQUIRE(known(c, shape.lane(7, 3, 4)) == 0);
  c = with(c, shape.block(7), 10);
  c = with(c, shape.warp(7, 3), 20);
  c = with(c, shape.lane(7, 3, 4), 30);
  REQUIRE(known(c, shape.lane(7, 0, 0)) == 10);
  REQUIRE(known(c, shape.lane(7, 3, 0)) == 20);
  REQUIRE(known(c, shape.lane(7, 3, 4)) == 30);
  REQUIRE(known(c, shape.lane(7, 4, 4)) == 10);
  // Numbers whose last digits are the same are other blocks.
  REQUIRE(known(c, shape.lane(7 + 32, 3, 4)) == 0);
  REQUIRE(known(c, shape.lane(7 + 1024, 3, 4)) == 0);
  // What is known already changes nothing.
  REQUIRE(with(c, shape.lane(7, 3, 5), 15) == c);
  REQUIRE(with(c, shape.block(7), 9) == c);
}

TEST_CASE("joined clocks know what either knew, and share what one knew better") {
  const ClockShape shape(100);
  const Clock a = with(with(nullptr, shape.lane(1, 0, 0), 5), shape.lane(2, 0, 0), 9);
  const Clock b = with(with(nullptr, shape.lane(2, 0, 0), 4), shape.lane(99, 1, 31), 6);
  const Clock both = join(a, b);
  REQUIRE(known(both, shape.lane(1, 0, 0)) == 5);
  REQUIRE(known(both, shape.lane(2, 0, 0)) == 9);
  REQUIRE(known(both, shape.lane(99, 1, 31)) == 6);
  REQUIRE(known(both, shape.lane(99, 1, 30)) == 0);
  REQUIRE(join(both, a) == both);
  REQUIRE(join(b, both) == both);
  REQUIRE(join(a, nullptr) == a);
  REQUIRE(join(nullptr, a) == a);
}

TEST_CASE("one block needs no digits") {
  const ClockShape shape(1);
  const Clock c = with(nullptr, shape.block(0), 3);
  REQUIRE(known(c, shape.lane(0, 31, 31)) == 3);
}
