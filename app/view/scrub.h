#pragma once
// The knob under a picture that is walked through step by step: dragged with the mouse, or moved with the
// arrow keys while the mouse is over the picture.
#include <cstddef>

#include "view/paint.h"
#include "view/view.h"

namespace warpbook::view {

/// The step that the state stands at, kept inside `steps`.
size_t step_of(const ViewState& state, size_t steps);

/// Draws the track at `y` and moves the state's step; returns the height used.
float scrub(const ViewInput& input, ViewState& state, Painter& painter, float y, size_t steps);

}  // namespace warpbook::view
