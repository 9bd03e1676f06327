#pragma once
// Everything that differs between releases of Dear ImGui stands here: fonts, texture handles, keys, and input
// that does not come from a person. Written for 1.86; see the notes in imgui_compat.cpp on the edges
// at 1.87, 1.91, 1.92.
#include <imgui.h>

#include <cstdint>
#include <string>

#include "result/image_target.h"

namespace warpbook::ui {

/// Keys by GLFW's numbers, which both back-ends use as indices into ImGui's key array.
enum class Key : int {
  space = 32,
  slash = 47,
  zero = 48,
  minus = 45,
  equal = 61,
  a = 65,
  c = 67,
  e = 69,
  f = 70,
  k = 75,
  s = 83,
  v = 86,
  x = 88,
  y = 89,
  z = 90,
  escape = 256,
  enter = 257,
  tab = 258,
  backspace = 259,
  insert = 260,
  del = 261,
  right = 262,
  left = 263,
  down = 264,
  up = 265,
  page_up = 266,
  page_down = 267,
  home = 268,
  end = 269,
  f1 = 290,
  f5 = 294,
  keypad_subtract = 333,
  keypad_add = 334,
  keypad_enter = 335,
  left_shift = 340,
  left_control = 341,
  left_alt = 342
};

struct Modifiers {
  bool control = false, shift = false, alt = false;
  bool operator==(const Modifiers&) const = default;
};

/// The key went down in this frame (or repeats) with exactly these modifiers.
bool pressed(Key key, Modifiers with = {}, bool repeat = false);
/// GLFW's back-end fills ImGui's key map; without it (in memory, or no back-end at all) this does. Tab is
/// left out and taken from either: 1.86 moves only between text fields, so Marks does it for all widgets.
void install_key_map();
void claim_tab_key();

/// The mouse and keyboard of a script. Written into ImGui's input state after the back-end's begin_frame and
/// before ImGui::NewFrame, since a back-end overwrites the mouse each frame.
class ScriptedInput {
 public:
  void move_mouse(float x, float y);
  void move_mouse_by(float x, float y) { move_mouse(x_ + x, y_ + y); }
  void press_button(bool down) { button_ = down; }
  void press_key(Key key, Modifiers with, bool down);
  void type(const std::string& text) { text_ += text; }
  void turn_wheel(float notches) { wheel_ = notches; }
  void apply();

 private:
  bool moved_ = false, button_ = false;
  float x_ = 0, y_ = 0, wheel_ = 0;
  bool keys_[512] = {};
  Modifiers modifiers_;
  std::string text_;
};

/// Arrow keys that a widget has taken do not move the focus as well.
void keep_focus();
/// Enter presses what has the focus, as Space does.
void press_focused();

ImTextureID texture_of(const ImageTarget& image);
float size_of(const ImFont* font);

/// Pushes a font for a scope.
class FontScope {
 public:
  explicit FontScope(ImFont* font) { ImGui::PushFont(font); }
  ~FontScope() { ImGui::PopFont(); }
  FontScope(const FontScope&) = delete;
  FontScope& operator=(const FontScope&) = delete;
};

/// A child region that draws no border and takes the keyboard's focus as part of its parent.
bool begin_region(const char* name, float width, float height, bool scrolls = true, float padding_x = 0,
                  float padding_y = 0);
void end_region();
/// Puts a region that was drawn before to a scroll position.
void scroll_region(const std::string& window_name, float scroll_y);

}  // namespace warpbook::ui
