#pragma once
// Plots as a picture file, for callers that draw nothing else: PNG, drawn off screen on a light ground.
// `root` holds assets/fonts. An error where nothing can be drawn here.
#include "base/files.h"
#include "lab/sweep.h"
#include "result/growth.h"
#include "result/surface.h"

namespace warpbook::ui {

/// An error as well where no point of the sweep has a time.
Result<Done> save_sweep_picture(const SweepResult& swept, const Path& file, const Path& root,
                                const SurfaceMaker& make_surface);

Result<Done> save_growth_picture(const GrowthTables& growth, const Path& file, const Path& root,
                                 const SurfaceMaker& make_surface);

}  // namespace warpbook::ui
