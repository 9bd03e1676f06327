// A warp's rows of lanes, without a window: who takes part, which line, and which rows are on screen.
#include "view/active_mask.h"

#include "catch.h"

using namespace warpbook;
using namespace warpbook::view;

namespace {

RecordedAccess access(const char* space, int line, uint32_t mask) {
  RecordedAccess one;
  one.space = space;
  one.line = line;
  one.mask = mask;
  return one;
}

}  // namespace

TEST_CASE("rows stand in the order of execution, and their lanes are counted") {
  Recording recording;
  recording.accesses = {access("global", 9, 0x55555555u), access("shared", 10, ~0u),
                        access("global", 12, 0xaaaaaaaau), access("global", 15, ~0u)};
  ViewInput input;
  input.recording = &recording;
  const ActiveMask mask = make_active_mask(input);
  REQUIRE(mask.rows.size() == 3);
  CHECK(mask.rows[0].mask == 0x55555555u);
  CHECK(mask.rows[1].access == 2);
  CHECK(mask.lines == std::vector<int>{9, 12, 15});
  CHECK(mask.colour_of(mask.rows[1]) == 1);
  CHECK(mask.active_lanes == 64);
  CHECK(mask.share() == Approx(64.0 / 96));
  CHECK(mask.present == ~0u);
}

TEST_CASE("a lesson may ask for other spaces") {
  Recording recording;
  recording.accesses = {access("global", 9, 1), access("shared", 10, 3), access("local", 11, 7)};
  ViewInput input;
  input.recording = &recording;
  input.options = {{"spaces", "[\"shared\", \"local\"]"}};
  const ActiveMask mask = make_active_mask(input);
  REQUIRE(mask.rows.size() == 2);
  CHECK(mask.present == 7);
}

TEST_CASE("no recording, no rows") {
  const ActiveMask mask = make_active_mask(ViewInput{});
  CHECK(mask.rows.empty());
  CHECK(mask.share() == 0);
}

TEST_CASE("the rows on screen follow the step and never leave the picture") {
  CHECK(first_row_shown(10, 20, 9) == 0);
  CHECK(first_row_shown(100, 20, 0) == 0);
  CHECK(first_row_shown(100, 20, 9) == 0);
  CHECK(first_row_shown(100, 20, 50) == 40);
  CHECK(first_row_shown(100, 20, 99) == 80);
}
