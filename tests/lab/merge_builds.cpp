// One list of two builds' diagnoses, and the sample of blocks that the debug build runs.
#include <algorithm>

#include "catch.h"
#include "lab/debug_run.h"

using namespace warpbook;

namespace {

Diagnosis found(const char* kind, int line, const char* buffer, uint32_t block, uint32_t thread) {
  Diagnosis d;
  d.kind = kind;
  d.line = line;
  d.buffer = buffer;
  d.space = "global";
  d.index = thread;
  d.block = Dim3{block, 0, 0};
  d.thread = Dim3{thread, 0, 0};
  return d;
}

DebugFindings debug_of(std::vector<Diagnosis> diagnostics) {
  DebugFindings out;
  out.diagnostics = std::move(diagnostics);
  return out;
}

const Dim3 grid{8, 1, 1};

}  // namespace

TEST_CASE("One fault that both builds see is told once, with the larger count") {
  Diagnosis o = found("oob-read", 9, "a", 3, 4);
  o.count = 7;
  Diagnosis d = found("oob-read", 9, "a", 3, 4);
  d.variables.push_back({"i", "100", 8});
  const auto merged = merge_builds({o}, debug_of({d}), grid);
  REQUIRE(merged.size() == 1);
  CHECK(merged[0].count == 7);
  CHECK(merged[0].variables.size() == 1);
}

TEST_CASE("A merged or hoisted access is told at the line of the debug build") {
  const auto merged =
      merge_builds({found("oob-read", 5, "a", 0, 1)}, debug_of({found("oob-read", 9, "a", 0, 1)}), grid);
  REQUIRE(merged.size() == 1);
  CHECK(merged[0].line == 9);
}

TEST_CASE("A local array gets its name, and what the debug build knows better is not told twice") {
  Diagnosis o = found("uninit-read", 9, "", 0, 0);
  o.space = "local";
  Diagnosis d = found("uninit-read", 9, "bins", 0, 0);
  d.space = "local";
  auto merged = merge_builds({o}, debug_of({d}), grid);
  REQUIRE(merged.size() == 1);
  CHECK(merged[0].buffer == "bins");
  merged = merge_builds({o}, debug_of({}), grid);
  CHECK(merged.empty());
  DebugFindings missing;
  missing.run.missing = "it does not compile";
  CHECK(merge_builds({o}, missing, grid).empty());  // nobody knows whether the value is used
  o.space = "global";
  CHECK(merge_builds({o}, missing, grid).size() == 1);
}

TEST_CASE("Hangs are the optimised build's to judge") {
  CHECK(merge_builds({}, debug_of({found("infinite-loop", 9, "", 0, 0)}), grid).empty());
  CHECK(merge_builds({found("deadlock", 9, "", 0, 0)}, debug_of({}), grid).size() == 1);
}

TEST_CASE("What a thread does with a value that it never had is no further error") {
  Diagnosis wild = found("oob-read", 12, "a", 0, 0);
  wild.index = -842150451;
  const auto merged = merge_builds({}, debug_of({found("uninit-read", 9, "best", 0, 0), wild}), grid);
  REQUIRE(merged.size() == 1);
  CHECK(merged[0].kind == "uninit-read");
}

TEST_CASE("A sample holds corners and the blocks at fault, and is the same every time") {
  const Dim3 large{100, 50, 1};
  const std::vector<Diagnosis> faults{found("oob-read", 9, "a", 77, 0)};
  const auto blocks = sample_blocks(large, 40, faults);
  CHECK(blocks.size() == 40);
  CHECK(std::is_sorted(blocks.begin(), blocks.end()));
  for (const uint64_t wanted : {0ull, 99ull, 4900ull, 4999ull, 77ull})
    CHECK(std::count(blocks.begin(), blocks.end(), wanted) == 1);
  CHECK(blocks == sample_blocks(large, 40, faults));
  CHECK(sample_blocks(large, 5000, faults).empty());
}
