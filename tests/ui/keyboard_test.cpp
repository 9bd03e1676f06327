// Everything within reach of the keyboard alone.
#include "catch.h"
#include "gui.h"
#include "ui/widgets.h"

using namespace warpbook;
using namespace warpbook::ui;

TEST_CASE("Tab goes from button to button, Space presses") {
  Gui gui;
  int first = 0, second = 0;
  const auto draw = [&] {
    if (button(gui.look, "one", "One")) ++first;
    if (button(gui.look, "two", "Two")) ++second;
  };
  gui.frames(3, draw);
  gui.key(Key::tab, {}, draw);
  gui.key(Key::space, {}, draw);
  gui.key(Key::tab, {}, draw);
  gui.key(Key::space, {}, draw);
  CHECK(first == 1);
  CHECK(second == 1);
}

TEST_CASE("the keyboard goes from one column into the next") {
  Gui gui;
  int left = 0, right = 0;
  const auto draw = [&] {
    begin_region("left", 300, 300);
    if (button(gui.look, "one", "One")) ++left;
    end_region();
    ImGui::SameLine();
    begin_region("right", 300, 300);
    if (button(gui.look, "two", "Two")) ++right;
    end_region();
  };
  gui.frames(3, draw);
  gui.key(Key::tab, {}, draw);
  gui.key(Key::space, {}, draw);
  gui.key(Key::tab, {}, draw);
  gui.key(Key::space, {}, draw);
  CHECK(left == 1);
  CHECK(right == 1);
}

TEST_CASE("choices and tabs can be pressed with the keyboard") {
  Gui gui;
  int tab = 0;
  bool chosen = false;
  const auto draw = [&] {
    tab = tab_strip(gui.look, "tab", {"A", "B"}, tab);
    if (choice_row(gui.look, "choice", true, chosen, "text", true)) chosen = true;
  };
  gui.frames(3, draw);
  gui.key(Key::tab, {}, draw);  // a new window has its first widget in focus
  gui.key(Key::space, {}, draw);
  CHECK(tab == 1);
  gui.key(Key::tab, {}, draw);
  gui.key(Key::space, {}, draw);
  CHECK(chosen);
}
