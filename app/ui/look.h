#pragma once
// What drawing needs in every function: colours, faces, scale, and where named widgets are noted. Passed
// down, never global. All sizes in drawing code are dp and go through dp().
#include <cmath>

#include "ui/fonts.h"
#include "ui/marks.h"
#include "ui/theme.h"

namespace warpbook::ui {

struct Look {
  Palette colours;
  Fonts fonts;
  float scale = 1;  ///< pixels a dp
  bool motion = true;
  bool bare = false;  ///< the frame is kept as a picture: no notice and no tooltip lies over it
  double now = 0;     ///< seconds since the app began
  Marks marks;

  /// Pixels of a length in dp, on a whole pixel.
  float dp(float length) const { return std::round(length * scale); }
};

/// The same for the view room.
view::Style view_style(const Look& look);

}  // namespace warpbook::ui
