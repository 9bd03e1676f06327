// The code editor as a person uses it: typing, indenting, undo, comments, brackets, finding.
#include "catch.h"
#include "gui.h"
#include "ui/code_editor.h"

using namespace warpbook;
using namespace warpbook::ui;

namespace {

struct Editing {
  Gui gui;
  CodeEditor editor;
  CodeView view;
  std::function<void()> draw = [this] { code_editor(gui.look, "editor", editor, view); };

  explicit Editing(const std::string& text) {
    editor.set(text);
    view.width = 800;
    view.height = 400;
    gui.frames(2, draw);
    gui.click("editor", draw);  // below the text: the cursor goes to its end
    REQUIRE(editor.focused);
  }
};

}  // namespace

TEST_CASE("typed text arrives, letters with accents too") {
  Editing e("");
  e.gui.type("int i; // ação", e.draw);
  CHECK(e.editor.text == "int i; // ação");
}

TEST_CASE("Enter keeps the indentation and goes deeper after a brace") {
  Editing e("");
  e.gui.type("{", e.draw);
  e.gui.key(Key::enter, {}, e.draw);
  e.gui.type("int i;", e.draw);
  e.gui.key(Key::enter, {}, e.draw);
  e.gui.type("int j;", e.draw);
  CHECK(e.editor.text == "{\n    int i;\n    int j;");
}

TEST_CASE("a closing brace goes back to where its block began") {
  Editing e("{\n    int i;");
  e.gui.key(Key::enter, {}, e.draw);
  e.gui.type("}", e.draw);
  CHECK(e.editor.text == "{\n    int i;\n}");
}

TEST_CASE("Tab indents by spaces, never by a tab") {
  Editing e("");
  e.gui.key(Key::tab, {}, e.draw);
  e.gui.type("x", e.draw);
  CHECK(e.editor.text == "    x");
  CHECK(e.editor.focused);
}

TEST_CASE("a comment toggles over all selected lines and back") {
  Editing e("int i;\nint j;");
  e.gui.key(Key::a, {true}, e.draw);
  e.gui.key(Key::slash, {true}, e.draw);
  CHECK(e.editor.text == "// int i;\n// int j;");
  e.gui.key(Key::slash, {true}, e.draw);
  CHECK(e.editor.text == "int i;\nint j;");
}

TEST_CASE("undo takes a comment over many lines back in one or two steps") {
  Editing e("int i;\nint j;\nint k;");
  e.gui.key(Key::a, {true}, e.draw);
  e.gui.key(Key::slash, {true}, e.draw);
  REQUIRE(e.editor.text != "int i;\nint j;\nint k;");
  e.gui.key(Key::z, {true}, e.draw);
  if (e.editor.text != "int i;\nint j;\nint k;") e.gui.key(Key::z, {true}, e.draw);
  CHECK(e.editor.text == "int i;\nint j;\nint k;");
}

TEST_CASE("Escape leaves the editor and keeps what was typed") {
  Editing e("int i;");
  e.gui.type(" int j;", e.draw);
  e.gui.key(Key::escape, {}, e.draw);
  CHECK(e.editor.text == "int i; int j;");
  CHECK_FALSE(e.editor.focused);
}

TEST_CASE("Ctrl+Enter writes nothing into the code") {
  Editing e("int i;");
  e.gui.key(Key::enter, {true}, e.draw);
  CHECK(e.editor.text == "int i;");
}

TEST_CASE("code that is only shown cannot be changed") {
  Editing e("int i;");
  e.view.read_only = true;
  e.gui.type("x", e.draw);
  e.gui.key(Key::enter, {}, e.draw);
  CHECK(e.editor.text == "int i;");
}

TEST_CASE("find opens, counts and steps through the matches") {
  Editing e("alpha\nbeta\nalpha\n");
  e.gui.key(Key::f, {true}, e.draw);
  REQUIRE(e.editor.find_open);
  e.gui.frames(3, e.draw);
  e.gui.type("ALPHA", e.draw);
  CHECK(e.editor.needle == "ALPHA");
  CHECK(e.editor.found == 0);
  e.gui.key(Key::enter, {}, e.draw);
  CHECK(e.editor.found == 1);
  e.gui.frames(3, e.draw);
  e.gui.key(Key::enter, {}, e.draw);
  CHECK(e.editor.found == 0);
}

TEST_CASE("a click on a line number gives that line") {
  Editing e("a\nb\nc\n");
  int clicked = 0;
  const auto draw = [&] { code_editor(e.gui.look, "editor", e.editor, e.view, &clicked); };
  e.gui.click("editor.line.2", draw);
  CHECK(clicked == 2);
}

TEST_CASE("Both places of a race are marked, the second with what happens there") {
  Diagnosis race;
  race.kind = "race-shared";
  race.message = "Two threads touch tile[3].";
  race.line = 4;
  race.other = Diagnosis::Other{7, "write", Dim3{0, 0, 0}, Dim3{3, 0, 0}};
  const auto marks = marks_of({race});
  REQUIRE(marks.size() == 2);
  CHECK(marks[0].line == 4);
  CHECK(marks[0].other_line == 7);
  CHECK(marks[1].line == 7);
  CHECK(marks[1].text == "and here: write of thread (3, 0, 0)");
}
