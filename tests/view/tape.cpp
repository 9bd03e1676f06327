// The tape's pure step: lanes, steps, and what each buffer holds after each of them.
#include "view/tape.h"

#include "catch.h"
#include "lab/made_tape.h"

using namespace warpbook;
using namespace warpbook::view;

namespace {

const TapeBuffer& named(const std::vector<TapeBuffer>& side, const std::string& name) {
  for (const TapeBuffer& buffer : side)
    if (buffer.name == name) return buffer;
  FAIL("there is no buffer " << name);
  return side.front();
}

}  // namespace

TEST_CASE("memory is poison until it is written, lights up with its step, and is freed") {
  MadeTape tape;
  const uint64_t a = tape.allocate("d_a", 1600, 10);  // step 0
  const uint64_t c = tape.allocate("d_c", 1600, 11);  // 1
  TapeRow& in = tape.copy_in(a, 800, 12);             // 2
  in.places[1].address = 0x100;
  tape.program.host_names[0x100] = "a";
  TapeRow& launch = tape.launch("add", 13);  // 3
  launch.launch->effects = {{c, {}, 0, 400, {}}};
  TapeRow& back = tape.copy_out(c, 1600, 14);  // 4
  back.never_written = 1200;
  back.first_never_written = 400;
  tape.free(a, 15);  // 5
  tape.end();
  const TapeStory story = make_tape_story(tape.program);
  REQUIRE(story.steps.size() == 6);
  CHECK(story.steps[0].lane == TapeLane::host);
  CHECK(story.steps[2].lane == TapeLane::copy_in);
  CHECK(story.steps[3].lane == TapeLane::kernel);
  CHECK(story.steps[4].lane == TapeLane::copy_out);
  CHECK(story.steps[3].line == 13);

  const TapeBuffer& d_a = named(story.device, "d_a");
  CHECK(d_a.at(0, 0) == CellState::poison);
  CHECK(d_a.lit(0, 0));
  CHECK(d_a.at(2, 7) == CellState::host);  // the first half
  CHECK(d_a.lit(2, 7));
  CHECK(d_a.at(2, 8) == CellState::poison);
  CHECK_FALSE(d_a.lit(2, 8));
  CHECK_FALSE(d_a.lit(3, 7));
  CHECK(d_a.at(5, 0) == CellState::freed);

  const TapeBuffer& d_c = named(story.device, "d_c");
  CHECK(d_c.at(0, 0) == CellState::absent);
  CHECK(d_c.at(1, 0) == CellState::poison);
  CHECK(d_c.at(3, 3) == CellState::kernel);
  CHECK(d_c.at(3, 4) == CellState::poison);

  const TapeBuffer& host = named(story.host, "a");
  CHECK(host.at(2, 0) == CellState::host);
  const TapeBuffer& result = named(story.host, "host memory");
  CHECK(result.at(4, 0) == CellState::copied);
  CHECK(result.at(4, 5) == CellState::poison);  // what nobody wrote arrives as such
}

TEST_CASE("a call that failed changes nothing and is marked") {
  MadeTape tape;
  const uint64_t a = tape.allocate("d_a", 1600, 10);
  tape.copy(tape.device("dst", a), MadeTape::host("src"), 1600, CopyDirection::host_to_device, 12, 1);
  const TapeStory story = make_tape_story(tape.program);
  REQUIRE(story.steps.size() == 2);
  CHECK(story.steps[1].failed);
  CHECK(story.steps[1].outcome == "cudaErrorInvalidValue");
  CHECK(named(story.device, "d_a").at(1, 0) == CellState::poison);
}

TEST_CASE("a loop is one step that says how often") {
  MadeTape tape;
  for (int i = 0; i < 300; ++i) tape.launch("step", 10);
  const TapeStory story = make_tape_story(tape.program);
  REQUIRE(story.steps.size() == 1);
  CHECK(story.steps[0].times == 300);
}

TEST_CASE("a tape that is cut in the middle of a call shows it") {
  MadeTape tape;
  tape.allocate("d_a", 1600, 10);
  tape.launch("spin", 12).in_progress = true;
  const TapeStory story = make_tape_story(tape.program);
  REQUIRE(story.steps.size() == 2);
  CHECK(story.steps[1].outcome == "did not return");
}

TEST_CASE("an endless tape is shown from its beginning") {
  MadeTape tape;
  for (int i = 0; i < 2000; ++i) tape.add("cudaMemset", i + 1);
  const TapeStory story = make_tape_story(tape.program);
  CHECK(story.steps.size() + story.left_out == 2000);
  CHECK(story.left_out > 0);
}
