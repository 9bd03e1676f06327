// Starter, own text and solution counted on the same inputs.
#include "lab/versions.h"

#include "catch.h"
#include "explained_module.h"

using namespace warpbook;

TEST_CASE("versions of an answer are counted on the largest case, and differing counters come forward") {
  CompilerFixture fixture;
  NEEDS_NVRTC(fixture);
  const auto session = explained::session_for(fixture);
  const auto lesson = load_lesson(WARPBOOK_SOURCE_DIR, "11-coalescing");
  REQUIRE(lesson);
  const Exercise* exercise = lesson->exercise("share-out");
  REQUIRE(exercise);
  const auto counted = count_versions(*session, *lesson, *exercise, "no kernel at all");
  REQUIRE(counted);
  CHECK(counted->with.find("4096") != std::string::npos);
  REQUIRE(counted->versions.size() == 3);
  CHECK(counted->versions[0].status == "ok");
  CHECK(counted->versions[1].status == "compile-error");
  CHECK_FALSE(counted->versions[1].counters);
  REQUIRE(counted->versions[0].counters);
  REQUIRE(counted->versions[2].counters);
  const char* sectors = "global_load_sectors_per_request";
  CHECK(*counter_value(*counted->versions[0].counters, sectors) >
        2 * *counter_value(*counted->versions[2].counters, sectors));
  const auto rows = telling_counters(*counted, 4);
  REQUIRE(rows.size() <= 4);
  CHECK(std::find(rows.begin(), rows.end(), sectors) != rows.end());
  // The same text three times has gated counters only: nothing differs.
  CountedVersions same = *counted;
  same.versions[1] = same.versions[2] = same.versions[0];
  CHECK(telling_counters(same, 10) == counted->gated);
}

TEST_CASE("a program has no versions to count") {
  CompilerFixture fixture;
  const auto session = explained::session_for(fixture);
  const auto lesson = load_lesson(WARPBOOK_SOURCE_DIR, "03-host-flow");
  REQUIRE(lesson);
  CHECK_FALSE(count_versions(*session, *lesson, lesson->exercises.front(), ""));
}
