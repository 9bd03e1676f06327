#pragma once
// A sweep's plot as a picture file, for callers that draw nothing else.
#include "base/files.h"
#include "lab/sweep.h"
#include "result/surface.h"

namespace warpbook::ui {

/// The plot as a PNG, drawn off screen. `root` holds assets/fonts. An error where nothing can be drawn here.
Result<Done> save_sweep_picture(const SweepResult& swept, const Path& file, const Path& root,
                                const SurfaceMaker& make_surface);

}  // namespace warpbook::ui
