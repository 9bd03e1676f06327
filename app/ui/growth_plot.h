#pragma once
// How the emulator's cost grows, as plots: the pictures of the reference page on speed.
#include "result/growth.h"
#include "view/plot.h"

namespace warpbook::ui {

/// One plot a table, in the tables' order.
std::vector<view::Plot> make_growth_plots(const GrowthTables& growth, const view::Style& style);

}  // namespace warpbook::ui
