// What a run found, seen again: the block at fault is recorded, and its steps hold the accesses that the
// diagnosis names.
#include "lab/replay.h"

#include <algorithm>

#include "lab/checker.h"
#include "lab/situations.h"
#include "lesson/lesson.h"

using namespace warpbook;
using namespace warpbook::lab_tests;

namespace {

/// A step in which that thread reached that cell.
bool reaches(const Replay& replay, const Dim3& thread, const std::string& access, const std::string& buffer,
             int64_t index) {
  const Dim3& size = replay.launch.block;
  const uint32_t number = thread.x + size.x * (thread.y + size.y * thread.z);
  for (const RecordedStep& step : replay.recording.steps) {
    if (step.warp != number / 32 || step.access < 0) continue;
    const StepAccess& one = replay.recording.accesses[size_t(step.access)];
    if ((one.mask >> (number % 32) & 1) && one.access == access && one.buffer == buffer &&
        one.index[number % 32] == index)
      return true;
  }
  return false;
}

}  // namespace

TEST_CASE("both sides of a race are steps of the block that is seen again") {
  Bench bench;
  NEEDS_NVRTC(bench.fixture);
  const RunRequest request = bench.request(R"(
// launch: grid=(3,1,1) block=(128,1,1)
// args: out=buf:i32[384]:zeros
extern "C" __global__ void k(int* out) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = t;
  if (blockIdx.x != 1) __syncthreads();
  out[blockIdx.x * 128 + t] = s[127 - t];
})");
  const RunResult result = bench.run(request);
  REQUIRE(result.status == "fault");
  const auto race = std::find_if(result.diagnostics.begin(), result.diagnostics.end(),
                                 [](const Diagnosis& d) { return d.kind == "race-shared"; });
  REQUIRE(race != result.diagnostics.end());
  REQUIRE(race->other);
  const auto seen = replay(*bench.session, request, *race);
  REQUIRE(seen);
  CHECK(seen->recording.block == Dim3{1, 0, 0});
  CHECK(seen->recording.warps == 4);
  CHECK(seen->order == "blocks and warps one after the other");
  CHECK(reaches(*seen, *race->thread, race->access, "s", *race->index));
  CHECK(reaches(*seen, *race->other->thread, race->other->access, "s", *race->index));
}

TEST_CASE("a fault of an answer is seen in the case that shows it, an order as it was tried") {
  Bench bench;
  NEEDS_NVRTC(bench.fixture);
  const Library library = load_library({Path(WARPBOOK_SOURCE_DIR)});
  const Lesson* lesson = library.lesson("02-hello-grid");
  REQUIRE(lesson);
  const Exercise& exercise = lesson->exercises.front();
  const auto source = read_file(exercise_folder(*lesson, exercise) / "exercise.cu");
  REQUIRE(source);
  const auto report = check(*bench.session, *lesson, exercise, *source, "mine.cu");
  REQUIRE(report);
  CHECK_FALSE(report->passed);

  const auto solution = read_file(exercise_folder(*lesson, exercise) / "solution.cu");
  REQUIRE(solution);
  const auto passed = check(*bench.session, *lesson, exercise, *solution, "mine.cu");
  REQUIRE(passed);
  REQUIRE(passed->passed);
  for (const CheckRow& row : passed->rows) {
    if (row.check != "schedules") continue;
    REQUIRE(row.orders.size() > 1);
    CHECK(row.message.find(std::to_string(row.orders.size()) + " of ") != std::string::npos);
    for (const TriedOrder& order : row.orders) CHECK(order.same);
    const TriedOrder& reversed = row.orders[1];
    CHECK(reversed.order == Order::reverse);
    const auto seen = replay(*bench.session, *lesson, exercise, *solution, "mine.cu", reversed);
    REQUIRE(seen);
    CHECK(seen->order == "blocks and warps in reverse order");
    CHECK(seen->with == reversed.label);
    CHECK_FALSE(seen->diagnosis);
    CHECK_FALSE(seen->recording.steps.empty());
  }

  // An answer without its guard writes past the end in sizes that are no multiple of the block.
  std::string unguarded = *solution;
  const size_t guard = unguarded.find("if (");
  REQUIRE(guard != std::string::npos);
  unguarded.replace(guard, 4, "if (true || ");
  const auto wrong = check(*bench.session, *lesson, exercise, unguarded, "mine.cu");
  REQUIRE(wrong);
  for (const CheckRow& row : wrong->rows) {
    for (const Diagnosis& found : row.diagnostics) {
      if (found.kind != "oob-write") continue;
      const auto seen = replay(*bench.session, *lesson, exercise, unguarded, "mine.cu", found);
      REQUIRE(seen);
      REQUIRE(seen->diagnosis);
      CHECK(seen->recording.block == *seen->diagnosis->block);
      // The store that is refused reaches no cell: its line and lane are the step.
      const uint32_t thread = seen->diagnosis->thread->x;
      CHECK(std::any_of(
          seen->recording.steps.begin(), seen->recording.steps.end(), [&](const RecordedStep& step) {
            return step.warp == thread / 32 && (step.mask >> (thread % 32) & 1) && step.line == found.line;
          }));
      return;
    }
  }
  FAIL("the unguarded answer was not found out");
}
