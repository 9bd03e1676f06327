// The pure step of race-line: both orders of two accesses, and what comes of each.
#include "view/race_line.h"

#include "catch.h"
#include "view/visualisers.h"

using namespace warpbook;
using namespace warpbook::view;

namespace {

Diagnosis race_of(const char* access, uint32_t thread, const char* other_access, uint32_t other_thread) {
  Diagnosis found;
  found.kind = "race-shared";
  found.access = access;
  found.buffer = "s";
  found.index = 33;
  found.line = 11;
  found.block = Dim3{1, 0, 0};
  found.thread = Dim3{thread, 0, 0};
  Diagnosis::Other other;
  other.line = 12;
  other.access = other_access;
  other.block = Dim3{1, 0, 0};
  other.thread = Dim3{other_thread, 0, 0};
  found.other = other;
  return found;
}

}  // namespace

TEST_CASE("race-line tells what a read sees in each order") {
  std::vector<Diagnosis> found = {race_of("read", 33, "write", 64)};
  ViewInput input;
  input.launch.grid = {2, 1, 1};
  input.launch.block = {128, 1, 1};
  input.diagnostics = &found;
  const RaceLine line = make_race_line(input);
  REQUIRE(line.races.size() == 1);
  const Race& race = line.races[0];
  CHECK(race.cell == "s[33]");
  CHECK_FALSE(race.global);
  CHECK(race.one.number == 128 + 33);
  CHECK(race.other.number == 128 + 64);
  CHECK(race.one.who == "thread 33");
  CHECK(race.outcome[0] == "thread 33 reads the old value");
  CHECK(race.outcome[1] == "thread 33 reads what thread 64 wrote");
  CHECK(race.cure.find("barrier between") != std::string::npos);
  found[0].other->line = found[0].line;  // s[t] += s[t - d]
  CHECK(make_race_line(input).races[0].cure.find("in the middle of the line") != std::string::npos);
}

TEST_CASE("of two writes the second stays, and blocks are named where they differ") {
  std::vector<Diagnosis> found = {race_of("write", 3, "write", 4)};
  found[0].kind = "race-global";
  found[0].other->block = Dim3{0, 0, 0};
  ViewInput input;
  input.launch.grid = {2, 1, 1};
  input.launch.block = {32, 1, 1};
  input.diagnostics = &found;
  const RaceLine line = make_race_line(input);
  REQUIRE(line.races.size() == 1);
  CHECK(line.races[0].global);
  CHECK(line.races[0].outcome[0] == "what thread 4 of block 0 wrote stays");
  CHECK(line.races[0].outcome[1] == "what thread 3 of block 1 wrote stays");
  CHECK(line.races[0].cure.find("across blocks") != std::string::npos);
}

TEST_CASE("race-line has words for a run without races, and for one with another fault") {
  std::vector<Diagnosis> found;
  ViewInput input;
  CHECK(make_race_line(input).words.empty());
  input.diagnostics = &found;
  CHECK(make_race_line(input).words.find("No two accesses") == 0);
  found.resize(1);
  found[0].kind = "oob-read";
  CHECK(make_race_line(input).races.empty());
  CHECK(make_race_line(input).words.find("something else") != std::string::npos);
  found[0] = race_of("read", 1, "write", 2);
  found[0].other.reset();  // half a race cannot be drawn
  CHECK(make_race_line(input).races.empty());
}

TEST_CASE("a race takes four steps: two orders of two accesses") {
  std::vector<Diagnosis> found = {race_of("read", 1, "write", 2), race_of("write", 1, "read", 2)};
  ViewInput input;
  input.diagnostics = &found;
  CHECK(race_steps(make_race_line(input)) == 8);
  CHECK(race_step(0).happened == 1);
  CHECK(race_step(1).happened == 2);
  CHECK(race_step(1).order == 0);
  CHECK(race_step(2).order == 1);
  CHECK(race_step(7).race == 1);
  CHECK(race_line_view.csv(input).find("\n1,s[33],1,3,read,12,2,write,11\n") != std::string::npos);
}
