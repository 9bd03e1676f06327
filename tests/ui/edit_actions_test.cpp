// Edits as pure functions.
#include "ui/edit_actions.h"

#include "catch.h"

using namespace warpbook::ui;

TEST_CASE("a line break between braces opens a block") {
  const Edit edit = break_line("void f() {}", 10, 10);
  CHECK(applied("void f() {}", edit) == "void f() {\n    \n}");
  CHECK(edit.select_begin == 15);
}

TEST_CASE("a line break keeps the indentation before the cursor only") {
  const std::string text = "      x";
  CHECK(applied(text, break_line(text, 2, 2)) == "  \n      x");
}

TEST_CASE("Shift+Tab takes one step of every selected line") {
  const std::string text = "        a\n    b\nc";
  CHECK(applied(text, indent(text, 0, text.size(), true)) == "    a\nb\nc");
}

TEST_CASE("a selection that ends at a line's start does not take that line along") {
  const std::string text = "a\nb\n";
  CHECK(applied(text, toggle_comment(text, 0, 2)) == "// a\nb\n");
}

TEST_CASE("comments are put at the common indentation and taken back exactly") {
  const std::string text = "    a\n      b\n\n    c";
  const std::string commented = applied(text, toggle_comment(text, 0, text.size()));
  CHECK(commented == "    // a\n    //   b\n\n    // c");
  CHECK(applied(commented, toggle_comment(commented, 0, commented.size())) == text);
}

TEST_CASE("brackets match over lines, not into strings or comments") {
  const std::string text = "f(\")\", /* ) */ g(1))";
  const auto outer = matching_brackets(text, 2);
  REQUIRE(outer);
  CHECK(*outer == std::pair<size_t, size_t>{1, text.size() - 1});
  CHECK_FALSE(matching_brackets("(", 1));
  CHECK_FALSE(matching_brackets("", 0));
}

TEST_CASE("finding does not regard case and does not overlap") {
  CHECK(find_all("aAaA", "aa") == std::vector<size_t>{0, 2});
  CHECK(find_all("abc", "").empty());
}

TEST_CASE("lines and positions agree") {
  const std::string text = "a\nbc\n";
  CHECK(line_at(text, 0) == 0);
  CHECK(line_at(text, 2) == 1);
  CHECK(line_at(text, 5) == 2);
  CHECK(start_of_line(text, 1) == 2);
  CHECK(start_of_line(text, 9) == text.size());
}
