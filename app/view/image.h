#pragma once
// The pure steps of `image` and `heat-map`: a buffer as pixels.
#include <optional>
#include <string>
#include <vector>

#include "view/colour.h"
#include "view/picture.h"
#include "view/view.h"

namespace warpbook::view {

struct Image {
  std::string problem;  ///< why there is no picture; empty when there is
  std::string buffer;
  ElementType type = ElementType::u32;
  Pixels pixels;
  std::vector<double> values;  ///< one a pixel; empty for rgba
  double low = 0, high = 0;    ///< range of the colours
  /// Elements that hold the memory's poison and that nobody wrote; they have no colour and no part in the
  /// range. Ascending.
  std::vector<uint32_t> unwritten;
};

/// Options: buffer, width, height (or columns, rows), colours: rgba (u32 as R, G, B, A bytes), viridis,
/// cividis, cyclic.
Image make_image(const ViewInput& input, std::string_view default_colours);

/// The control values that a wheel turn over the picture asks for. `at_x`, `at_y`: mouse in 0..1 of the
/// picture; `turns` > 0 zooms in. The point under the mouse stays where it is. Empty when the view does not
/// zoom.
std::vector<ControlChange> zoom_by_wheel(const ViewInput& input, double at_x, double at_y, double turns,
                                         double aspect);
/// ... and a drag by a share of the picture's width and height.
std::vector<ControlChange> pan_by_drag(const ViewInput& input, double share_x, double share_y, double aspect);

}  // namespace warpbook::view
