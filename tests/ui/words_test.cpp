// Limits and differences in words.
#include "ui/words.h"

#include "catch.h"

using namespace warpbook;
using namespace warpbook::ui;

namespace {

GpuRow gpu() {
  GpuRow row;
  row.name = "test";
  return row;
}

}  // namespace

TEST_CASE("33 x 32 threads are one too many rows, said at the control") {
  const auto words = limit_words({{"block.x", 33}, {"block.y", 32}}, gpu());
  REQUIRE(words.count("block.x") == 1);
  CHECK(words.at("block.x") == "1,056 threads; a block holds 1,024.");
}

TEST_CASE("what fits says nothing") {
  CHECK(limit_words({{"block.x", 32}, {"block.y", 32}, {"grid.x", 2147483647}}, gpu()).empty());
}

TEST_CASE("empty and endless grids are named") {
  CHECK(limit_words({{"grid.x", 0}}, gpu()).count("grid.x") == 1);
  CHECK(limit_words({{"grid.y", 65536}}, gpu()).at("grid.y").find("65,535") != std::string::npos);
  CHECK(limit_words({{"block.z", 65}}, gpu()).at("block.z").find("64") != std::string::npos);
  CHECK(limit_words({{"block.x", -5}}, gpu()).count("block.x") == 1);
}

TEST_CASE("half the sectors at the same work is said so") {
  Counters before, now;
  before.global_load.sectors = 1000;
  before.warp_instructions = 50;
  now = before;
  now.global_load.sectors = 500;
  CHECK(difference_in_words(before, now) == "Half the global sectors, as many warp instructions.");
}

TEST_CASE("no change says nothing; appearing and vanishing are told") {
  Counters before, now;
  before.divergent_branches = 7;
  CHECK(difference_in_words(before, before).empty());
  CHECK(difference_in_words(before, now).find("No divergent branches any more (7 before)") == 0);
  CHECK(difference_in_words(now, before).find("7 divergent branches where there were none") == 0);
}

TEST_CASE("one of a kind is said in the singular") {
  Counters before, now;
  now.divergent_branches = 1;
  CHECK(difference_in_words(before, now) == "1 divergent branch where there were none.");
}

TEST_CASE("the largest change comes first") {
  Counters before, now;
  before.threads = 100;
  before.warp_instructions = 100;
  now.threads = 110;
  now.warp_instructions = 1000;
  CHECK(difference_in_words(before, now) == "10 times the warp instructions, 10 % more threads.");
}

TEST_CASE("dimensions show what matters") {
  CHECK(dimension_text({8, 1, 1}) == "8");
  CHECK(dimension_text({8, 4, 1}) == "8 × 4");
  CHECK(dimension_text({8, 4, 2}) == "8 × 4 × 2");
}
