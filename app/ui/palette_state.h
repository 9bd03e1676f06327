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
  cancel,
  search,
  next_lesson,
  previous_lesson,
  go_back,
  overview,
  review,
  report,
  settings,
  keys,
  theme,
  larger,
  smaller,
  usual_size,
  fold_contents,
  export_picture,
  export_numbers,
  step_back,
  step_forward,
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
