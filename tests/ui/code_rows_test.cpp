// Long lines of code in a card are broken where a reader would, and nothing of them is lost.
#include "catch.h"
#include "ui/code_editor.h"

using warpbook::ui::code_rows;
using Rows = std::vector<std::string_view>;

TEST_CASE("a line of code that fits is one row, an empty one too") {
  CHECK(code_rows("int i = 0;", 10, 4) == Rows{"int i = 0;"});
  CHECK(code_rows("", 10, 4) == Rows{""});
}

TEST_CASE("a long line of code breaks at blanks, later rows shorter by the indent") {
  CHECK(code_rows("void f(int* out, const int* in, int n)", 17, 4) ==
        Rows{"void f(int* out,", "const int*", "in, int n)"});
  // The blanks that begin a line are no place to break.
  CHECK(code_rows("    abcdefghij", 8, 2) == Rows{"    abcd", "efghij"});
  CHECK(code_rows("abcdefghij", 4, 4) == Rows{"abcd", "e", "f", "g", "h", "i", "j"});
}
