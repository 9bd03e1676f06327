#pragma once
// Sentences made of numbers: what a GPU's limits say of a launch, and how one run differs from the one
// before.
#include <map>
#include <string>
#include <vector>

#include "lesson/expression.h"
#include "result/counters.h"
#include "result/gpu_row.h"
#include "result/image_target.h"
#include "result/launch.h"

namespace warpbook::ui {

/// For each control ("block.x", "grid.y") that takes the launch past a limit, one sentence. Empty when it
/// fits.
std::map<std::string, std::string> limit_words(const Values& values, const GpuRow& gpu);

/// "Half the global sectors; as many warp instructions." Empty when nothing that counts has changed.
std::string difference_in_words(const Counters& before, const Counters& now);

/// The way of a picture from a GPU to its texture, and what both ways cost: "Drawn on the GPU in 0.21 ms;
/// through the host it takes 1.3 ms."
std::string picture_way_words(const ImageOutcome& outcome);

/// "(8, 1, 1)" shortened to what matters: "8" or "8 x 4".
std::string dimension_text(const Dim3& dimension);

}  // namespace warpbook::ui
