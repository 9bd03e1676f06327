// Word wrap over mixed styles, with a measure of ten units a character.
#include "ui/text_flow.h"

#include "catch.h"

using namespace warpbook;
using namespace warpbook::ui;

namespace {

warpbook::Run run_of(const std::string& text, bool bold = false, bool code = false) {
  warpbook::Run run;
  run.text = text;
  run.bold = bold;
  run.code = code;
  return run;
}

float ten_a_character(const warpbook::Run&, std::string_view text) { return 10.0f * float(text.size()); }

std::vector<std::string> lines_from(const std::vector<warpbook::Run>& runs, float width) {
  const Flow flow = flow_text(runs, width, ten_a_character);
  std::vector<std::string> lines(size_t(flow.lines));
  for (const Piece& piece : flow.pieces) {
    lines[size_t(piece.line)] += runs[piece.run].text.substr(piece.begin, piece.end - piece.begin);
  }
  return lines;
}

}  // namespace

TEST_CASE("words go to the next line when they do not fit") {
  CHECK(lines_from({run_of("one two three")}, 80) == std::vector<std::string>{"one two", "three"});
}

TEST_CASE("a comma stays with the bold word before it") {
  CHECK(lines_from({run_of("see "), run_of("blocks", true), run_of(", then")}, 100) ==
        std::vector<std::string>{"see", "blocks,", "then"});
}

TEST_CASE("inline code is one word") {
  CHECK(lines_from({run_of("use "), run_of("if (i < n)", false, true)}, 120) ==
        std::vector<std::string>{"use", "if (i < n)"});
}

TEST_CASE("a short formula is one word, a long one breaks at its spaces") {
  warpbook::Run formula = run_of("z = 0");
  formula.math = true;
  CHECK(lines_from({run_of("with "), formula}, 100) == std::vector<std::string>{"with z = 0"});
  CHECK(lines_from({run_of("starts with "), formula}, 130) ==
        std::vector<std::string>{"starts with", "z = 0"});
  formula.text = "a + b + c + d";
  CHECK(lines_from({run_of("is "), formula}, 100) == std::vector<std::string>{"is a + b +", "c + d"});
}

TEST_CASE("a word wider than the column is broken between code points") {
  const std::vector<std::string> lines = lines_from({run_of("ção"
                                                            "ção"
                                                            "ção")},
                                                    60);
  REQUIRE(lines.size() > 1);
  for (const std::string& line : lines) {
    CHECK((static_cast<unsigned char>(line[0]) & 0xc0) != 0x80);
  }
}

TEST_CASE("spaces at a break and runs of spaces do not show") {
  CHECK(lines_from({run_of("a    b")}, 1000) == std::vector<std::string>{"a b"});
  CHECK(lines_from({run_of("aaaa    bbbb")}, 50) == std::vector<std::string>{"aaaa", "bbbb"});
}

TEST_CASE("a hard break ends its line") {
  std::vector<warpbook::Run> runs = {run_of("a"), run_of("b")};
  runs[0].line_break = true;
  CHECK(lines_from(runs, 1000) == std::vector<std::string>{"a", "b"});
}

TEST_CASE("no piece passes the right edge, and none overlaps its neighbour") {
  const std::vector<warpbook::Run> runs = {run_of("The quick brown "), run_of("fox", true),
                                           run_of(" jumps over "), run_of("the_lazy_dog()", false, true),
                                           run_of(".")};
  for (float width = 40; width < 400; width += 30) {
    const Flow flow = flow_text(runs, width, ten_a_character);
    float right = 0;
    int line = -1;
    for (const Piece& piece : flow.pieces) {
      CHECK(piece.x + piece.width <= width + 0.5f);
      if (piece.line == line) CHECK(piece.x >= right - 0.5f);
      line = piece.line;
      right = piece.x + piece.width;
    }
  }
}

TEST_CASE("empty text has one line of height") { CHECK(flow_text({}, 100, ten_a_character).lines == 1); }
