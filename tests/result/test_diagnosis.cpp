// Merging: one diagnosis a kind, line and buffer, told by the lowest thread.
#include <algorithm>

#include "catch.h"
#include "result/diagnosis.h"

using namespace warpbook;

namespace {

Diagnosis at(std::string kind, int line, std::string buffer, Dim3 block, Dim3 thread, int64_t index,
             Severity severity = Severity::error) {
  Diagnosis found;
  found.kind = std::move(kind), found.line = line, found.buffer = std::move(buffer);
  found.block = block, found.thread = thread, found.index = index, found.severity = severity;
  return found;
}

}  // namespace

TEST_CASE("the lowest block and then the lowest thread tell it, x fastest") {
  std::vector<Diagnosis> found{
      at("oob-read", 5, "a", {0, 1, 0}, {0, 0, 0}, 1), at("oob-read", 5, "a", {7, 0, 0}, {9, 0, 0}, 2),
      at("oob-read", 5, "a", {7, 0, 0}, {0, 1, 0}, 3), at("oob-read", 5, "a", {0, 0, 1}, {0, 0, 0}, 4)};
  found[1].count = 10;
  do {
    const auto merged = merge(found);
    REQUIRE(merged.size() == 1);
    CHECK(merged[0].index == 2);
    CHECK(merged[0].count == 13);
  } while (std::next_permutation(found.begin(), found.end(),
                                 [](const Diagnosis& a, const Diagnosis& b) { return *a.index < *b.index; }));
}

TEST_CASE("other kinds, lines and buffers stay apart and are sorted by severity and line") {
  const auto merged =
      merge({at("race-shared", 9, "s", {}, {}, 0, Severity::note), at("oob-read", 8, "a", {}, {}, 0),
             at("oob-read", 3, "a", {}, {}, 0), at("oob-read", 3, "b", {}, {}, 0),
             at("div-by-zero", 1, "", {}, {}, 0, Severity::warning)});
  REQUIRE(merged.size() == 5);
  CHECK(merged[0].line == 3);
  CHECK(merged[0].buffer == "a");
  CHECK(merged[1].buffer == "b");
  CHECK(merged[2].line == 8);
  CHECK(merged[3].severity == Severity::warning);
  CHECK(merged[4].severity == Severity::note);
}

TEST_CASE("two compile errors of one line are both told, the same one once") {
  Diagnosis one;
  one.kind = "compile-error", one.line = 4, one.message = "identifier \"x\" is undefined";
  Diagnosis two = one;
  two.message = "expected a \";\"";
  const auto merged = merge({one, two, one});
  CHECK(merged.size() == 2);
}

TEST_CASE("only errors are errors") {
  CHECK_FALSE(has_errors({}));
  CHECK_FALSE(has_errors({at("launch-advice", 1, "", {}, {}, 0, Severity::note)}));
  CHECK(has_errors({at("oob-read", 1, "", {}, {}, 0)}));
  CHECK(name_of(Severity::warning) == "warning");
}
