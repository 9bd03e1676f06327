#pragma once
// The whole window in one frame: bar on top, three columns, sheets, keys.
#include "ui/panels.h"

namespace warpbook::ui {

void draw_shell(Frame& frame);

/// How the columns share the window, in dp; pure, for tests.
struct Columns {
  bool contents_folded = false, tabs = false;  ///< tabs: page and lab share one column
  bool bench = true;                           ///< there is a lab column (or tab) at all
  float contents = 0, page = 0, lab = 0;
};
Columns columns_of(float width, bool fold_wanted, float page_wanted, bool has_bench);

}  // namespace warpbook::ui
