#include "ui/keys.h"

namespace warpbook::ui {

const std::vector<Shortcut>& shortcuts() {
  constexpr Modifiers none{}, control{true}, control_shift{true, true}, alt{false, false, true};
  static const std::vector<Shortcut> table = {
      {Key::enter, control, Command::run},
      {Key::keypad_enter, control, Command::run},
      {Key::s, control, Command::check},
      {Key::escape, none, Command::cancel},
      {Key::k, control, Command::search, true},
      {Key::left, alt, Command::previous_lesson},
      {Key::right, alt, Command::next_lesson},
      {Key::backspace, alt, Command::go_back},
      {Key::up, alt, Command::step_back, false, true},
      {Key::down, alt, Command::step_forward, false, true},
      {Key::e, control, Command::export_picture},
      {Key::e, control_shift, Command::export_numbers},
      {Key::equal, control, Command::larger, true},
      {Key::equal, control_shift, Command::larger, true},  // the sign + of many keyboards
      {Key::keypad_add, control, Command::larger, true},
      {Key::minus, control, Command::smaller, true},
      {Key::keypad_subtract, control, Command::smaller, true},
      {Key::zero, control, Command::usual_size, true},
      {Key::f5, none, Command::reload},
      {Key::f1, none, Command::keys, true},
  };
  return table;
}

const std::vector<KeyWords>& key_words() {
  using Where = KeyWords::Where;
  static const std::vector<KeyWords> table = {
      {Where::everywhere, "Ctrl+Enter", "run the lab, or check the exercise"},
      {Where::everywhere, "Ctrl+S", "save and check the exercise"},
      {Where::everywhere, "Escape", "cancel what is running; close what is open"},
      {Where::everywhere, "Ctrl+K", "search lessons and the glossary, and run commands"},
      {Where::everywhere, "Alt+Left, Alt+Right", "the lesson before, the next lesson"},
      {Where::everywhere, "Alt+Backspace", "back to where you came from"},
      {Where::everywhere, "Alt+Up, Alt+Down", "one step back or forward in a picture that has steps"},
      {Where::everywhere, "Ctrl+E", "save the picture that is shown as PNG"},
      {Where::everywhere, "Ctrl+Shift+E", "save the picture's numbers as CSV"},
      {Where::everywhere, "Ctrl+Plus, Ctrl+Minus", "larger and smaller text"},
      {Where::everywhere, "Ctrl+0", "text at its usual size"},
      {Where::everywhere, "Tab, Shift+Tab",
       "the next or the previous button or field; Space or Enter presses it"},
      {Where::everywhere, "F5", "load the lessons again"},
      {Where::everywhere, "F1", "the keys, on a sheet"},
      {Where::picture, "Hover", "lights up the thread, and in every view what belongs to it"},
      {Where::picture, "Left, Right",
       "one step back or forward, where a picture has steps and the mouse is on it"},
      {Where::picture, "Wheel", "zooms where a picture can be zoomed"},
      {Where::picture, "Drag", "moves the view"},
      {Where::editor, "Ctrl+Z, Ctrl+Y", "undo, redo"},
      {Where::editor, "Ctrl+F", "find; Enter goes to the next one, Shift+Enter to the one before"},
      {Where::editor, "Ctrl+/", "make the lines a comment, or code again"},
      {Where::editor, "Tab, Shift+Tab", "indent, unindent; Escape leaves the editor, so that Tab moves on"},
      {Where::editor, "Ctrl+C, Ctrl+X, Ctrl+V", "copy, cut, paste"},
      {Where::editor, "Ctrl+A", "select all"},
  };
  return table;
}

std::string name_of(Key key, Modifiers with) {
  std::string name;
  if (with.control) name += "Ctrl+";
  if (with.alt) name += "Alt+";
  if (with.shift) name += "Shift+";
  switch (key) {
    case Key::enter:
    case Key::keypad_enter: return name + "Enter";
    case Key::escape: return name + "Escape";
    case Key::left: return name + "Left";
    case Key::right: return name + "Right";
    case Key::up: return name + "Up";
    case Key::down: return name + "Down";
    case Key::backspace: return name + "Backspace";
    case Key::tab: return name + "Tab";
    case Key::equal:
    case Key::keypad_add: return name + "Plus";
    case Key::minus:
    case Key::keypad_subtract: return name + "Minus";
    default: break;
  }
  const int number = int(key);
  if (number >= int(Key::f1) && number < int(Key::f1) + 12)
    return name + "F" + std::to_string(number - int(Key::f1) + 1);
  return name + char(number);  // letters and digits have their own codes
}

std::string keys_of(Command command) {
  for (const Shortcut& one : shortcuts()) {
    if (one.command == command) return name_of(one.key, one.with);
  }
  return {};
}

}  // namespace warpbook::ui
