// Colours can be read, faces hold every sign, sizes follow the scale.
#include <set>

#include "base/text.h"
#include "catch.h"
#include "gui.h"
#include "ui/workbook.h"

using namespace warpbook;
using namespace warpbook::ui;

TEST_CASE("contrast is what WCAG says it is") {
  CHECK(contrast(rgb(0x000000), rgb(0xFFFFFF)) == Approx(21.0));
  CHECK(contrast(rgb(0x777777), rgb(0xFFFFFF)) == Approx(4.48).margin(0.01));
}

TEST_CASE("every text stands out from its ground by 4.5 to 1") {
  for (const Palette& palette : {light_palette(), dark_palette()}) {
    for (const TextPair& pair : text_pairs(palette)) {
      INFO((palette.dark ? "dark: " : "light: ") << pair.name);
      CHECK(contrast(pair.text, pair.ground) >= 4.5);
    }
  }
}

TEST_CASE("the signs of the interface are in every face") {
  Gui gui;
  for (const ImFont* font : ImGui::GetIO().Fonts->Fonts)
    CHECK(missing_glyphs(font, interface_signs()).empty());
}

TEST_CASE("a sign that no face has is found missing") {
  Gui gui;
  CHECK(missing_glyphs(gui.look.fonts.body, "a\U0001D465 b") == std::vector<char32_t>{0x1D465});
}

TEST_CASE("every sign of every lesson has a glyph") {
  Gui gui;
  Session session;
  session.options.root = source_folder();
  Workbook book;
  book.session = &session;
  reload_library(book);
  const std::string text = all_text(book);
  REQUIRE(build_fonts(source_folder() / "assets" / "fonts", 1, text).ok());
  const ImFont* body = ImGui::GetIO().Fonts->Fonts[0];
  std::string list;
  for (const char32_t missing : missing_glyphs(body, text))
    list += encode_utf8(std::u32string(1, missing)) + " ";
  CHECK(list == "");
}

TEST_CASE("at twice the scale everything is twice as large") {
  float plain = 0, twice = 0;
  {
    Gui gui(1);
    plain = gui.look.fonts.body->FontSize;
    CHECK(gui.look.dp(7) == 7);
  }
  {
    Gui gui(2);
    twice = gui.look.fonts.body->FontSize;
    CHECK(gui.look.dp(7) == 14);
  }
  CHECK(twice == Approx(2 * plain).margin(1));
}
