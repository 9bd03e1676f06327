#include "ui/line_diff.h"

#include "catch.h"

using namespace warpbook::ui;

namespace {

std::string shown(std::string_view before, std::string_view after) {
  std::string out;
  for (const DiffLine& line : line_diff(before, after)) {
    out += line.kind == DiffLine::Kind::same ? ' ' : line.kind == DiffLine::Kind::added ? '+' : '-';
    out += line.text + "\n";
  }
  return out;
}

}  // namespace

TEST_CASE("equal texts have no difference, whatever stands at the ends of their lines") {
  CHECK(shown("a\nb\n", "a  \nb") == " a\n b\n");
  CHECK(line_diff("", "").empty());
  CHECK(shown("", "a\n") == "+a\n");
  CHECK(shown("a\n", "") == "-a\n");
}

TEST_CASE("a line put in between marks only itself") {
  CHECK(shown("a\nb\nc\n", "a\nx\nb\nc\n") == " a\n+x\n b\n c\n");
  CHECK(shown("a\nb\nc\nd\n", "a\nc\nd\n") == " a\n-b\n c\n d\n");
}

TEST_CASE("a changed line goes before it comes, and equal lines between two changes stay") {
  CHECK(shown("if\nold\nkept\nlast\nend", "if\nnew\nkept\nother\nend") ==
        " if\n-old\n+new\n kept\n-last\n+other\n end\n");
}

TEST_CASE("lines carry the numbers of both texts") {
  const std::vector<DiffLine> lines = line_diff("a\nb\nc", "a\nc");
  REQUIRE(lines.size() == 3);
  CHECK(lines[1].before == 2);
  CHECK(lines[1].after == 0);
  CHECK(lines[2].before == 3);
  CHECK(lines[2].after == 2);
}

TEST_CASE("texts too long for the table are told as gone and come, not compared for minutes") {
  std::string before, after;
  for (int i = 0; i < 5000; ++i) {
    before += "a" + std::to_string(i) + "\n";
    after += "b" + std::to_string(i) + "\n";
  }
  const std::vector<DiffLine> lines = line_diff(before, after);
  CHECK(lines.size() == 10000);
}
