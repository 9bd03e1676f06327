#pragma once
// The keys of the app: one table that the window obeys, the sheet of keys shows, and the reference page
// assets/pages/keys.md is held to.
#include <string_view>
#include <vector>

#include "ui/imgui_compat.h"
#include "ui/palette_state.h"

namespace warpbook::ui {

/// A key that does a command.
struct Shortcut {
  Key key;
  Modifiers with;
  Command command;
  bool over_sheets = false;  ///< also while search or the sheet of keys is open
  bool repeats = false;      ///< again and again while it is held
};
const std::vector<Shortcut>& shortcuts();

/// A row for people. `keys` are separated by ", ".
struct KeyWords {
  enum class Where { everywhere, picture, editor } where;
  std::string_view keys;
  std::string_view what;
};
const std::vector<KeyWords>& key_words();

/// "Ctrl+Shift+E", the first shortcut of a command; empty when it has none.
std::string keys_of(Command command);
std::string name_of(Key key, Modifiers with);

}  // namespace warpbook::ui
