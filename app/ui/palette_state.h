#pragma once
// What the palette keeps while it is open.
#include <string>
#include <vector>

#include "ui/place.h"

namespace warpbook::ui {

enum class Command {
  none,
  run,
  check,
  next_lesson,
  previous_lesson,
  go_back,
  settings,
  keys,
  theme,
  larger,
  smaller,
  fold_contents,
  reload
};

struct PaletteEntry {
  std::string title;   ///< what is shown
  std::string detail;  ///< where it is from, or its keys
  std::string text;    ///< what is searched besides the title
  Command command = Command::none;
  Place place;  ///< for pages
};

struct PaletteMatch {
  size_t entry = 0;
  int score = 0;
  std::string snippet;
};

struct PaletteState {
  std::string query;
  int chosen = 0;
  std::vector<PaletteEntry> entries;
  std::vector<PaletteMatch> found;
};

}  // namespace warpbook::ui
