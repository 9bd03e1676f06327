// warp-lanes: the heat map of divergence. A warp whose lanes all work is bright; one that drags a few along
// is dark.
#include "view/warp_lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "view/colour.h"
#include "view/paint.h"
#include "view/visualisers.h"

namespace warpbook::view {

double share_of(const WarpCounters& warp) {
  if (warp.warp_instructions == 0) return 0;
  return double(warp.thread_instructions) / (32.0 * double(warp.warp_instructions));
}

WarpLanes make_warp_lanes(const ViewInput& input) {
  WarpLanes out;
  if (!input.warps || input.warps->empty()) return out;
  uint64_t threads = input.launch.block.count();
  out.warps_per_block = uint32_t((threads + 31) / 32);
  uint64_t grid_x = std::max(1u, input.launch.grid.x);
  uint64_t grid_y = uint64_t(input.launch.grid.y) * input.launch.grid.z;
  uint32_t down = 1;
  if (grid_y == 1 && input.launch.block.y == 1 && input.launch.block.z == 1) {
    // One dimension: whole blocks side by side, folded into a picture about twice as wide as high.
    out.across = out.warps_per_block;
    const double side_by_side = std::sqrt(2.0 * double(grid_x) / out.across);
    const uint64_t blocks = grid_x;
    grid_x = std::clamp<uint64_t>(uint64_t(std::ceil(side_by_side)), 1, blocks);
    grid_y = (blocks + grid_x - 1) / grid_x;
  } else {
    // A block 32 wide has a warp a row: stack them, so that the picture is shaped like the data.
    out.across = input.launch.block.x > 32 && input.launch.block.x % 32 == 0 ? input.launch.block.x / 32 : 1;
    down = (out.warps_per_block + out.across - 1) / out.across;
  }
  if (grid_x * out.across > 4096 || grid_y * down > 4096) return out;
  out.pixels.width = uint32_t(grid_x) * out.across;
  out.pixels.height = uint32_t(grid_y) * down;
  out.pixels.rgba.assign(size_t(out.pixels.width) * out.pixels.height, 0);
  out.warp_at.assign(out.pixels.rgba.size(), -1);
  uint64_t issued = 0, active = 0;
  for (size_t i = 0; i < input.warps->size(); ++i) {
    const WarpCounters& warp = (*input.warps)[i];
    uint64_t column = warp.block % grid_x * out.across + warp.warp % out.across;
    uint64_t row = warp.block / grid_x * down + warp.warp / out.across;
    if (column >= out.pixels.width || row >= out.pixels.height) continue;
    size_t at = size_t(row) * out.pixels.width + size_t(column);
    out.warp_at[at] = int32_t(i);
    out.pixels.rgba[at] = map_colour(ColourMap::viridis, share_of(warp));
    issued += warp.warp_instructions;
    active += warp.thread_instructions;
    if (warp.warp_instructions) out.lowest_share = std::min(out.lowest_share, share_of(warp));
  }
  out.mean_share = issued ? double(active) / (32.0 * double(issued)) : 0;
  return out;
}

namespace {

/// The motif: 32 lanes, the active share of them filled.
void lane_strip(Painter& painter, float x, float y, float width, double share) {
  float gap = painter.dp(2), cell = (width - 31 * gap) / 32;
  int full = int(std::lround(share * 32));
  for (int lane = 0; lane < 32; ++lane) {
    painter.box(x + float(lane) * (cell + gap), y, cell, painter.dp(12),
                lane < full ? painter.style().accent : painter.style().line, painter.dp(1));
  }
}

void draw(const ViewInput& input, ViewState& state, Selection& selection, const Style& style,
          const PictureMaker& maker, const DrawArea& area) {
  Painter painter(style, area, input.stale);
  bool fresh = false;
  const WarpLanes& lanes = cached<WarpLanes>(input, state, fresh, [&] { return make_warp_lanes(input); });
  if (lanes.pixels.rgba.empty()) {
    draw_message(painter, "Run the lab to see how full its warps are.");
    return;
  }
  float caption = painter.line_height();
  const WarpCounters* under = nullptr;
  float top = area.y + caption + painter.dp(28);
  Placed place = fit(lanes.pixels.width, lanes.pixels.height, area.x, top, area.width - painter.dp(84),
                     area.y + area.height - top);
  place.x = area.x;
  draw_pixels(painter, state, maker, 0, lanes.pixels, fresh, place);
  painter.scale(
      place.x + place.width + painter.dp(12), place.y,
      std::clamp(place.height, painter.dp(48), painter.dp(160)),
      [](double at) { return map_colour(ColourMap::viridis, at); }, "0 %", "100 %");
  if (selection.owner != &state && selection.thread) {
    const uint64_t threads = std::max<uint64_t>(1, input.launch.block.count());
    const uint64_t block = uint64_t(*selection.thread) / threads;
    const uint64_t warp = uint64_t(*selection.thread) % threads / 32;
    for (size_t i = 0; i < lanes.warp_at.size(); ++i) {
      if (lanes.warp_at[i] < 0) continue;
      const WarpCounters& one = (*input.warps)[size_t(lanes.warp_at[i])];
      if (one.block == block && one.warp == warp)
        ring(painter, place, lanes.pixels.width, int64_t(i), style.warning);
    }
  }
  if (painter.hovered(place.x, place.y, place.width, place.height)) {
    ImVec2 mouse = ImGui::GetIO().MousePos;
    if (auto cell = place.cell(mouse.x, mouse.y)) {
      int32_t at = lanes.warp_at[size_t(cell->second) * lanes.pixels.width + cell->first];
      if (at >= 0) under = &(*input.warps)[size_t(at)];
    }
  }
  double share = under ? share_of(*under) : lanes.mean_share;
  std::string words =
      under
          ? fmt::format("Warp {} of block {}: {:.0f} % of its lanes active over {} instructions", under->warp,
                        under->block, share * 100, short_number(double(under->warp_instructions)))
          : fmt::format("All warps: {:.0f} % of lanes active; the emptiest warp has {:.0f} %", share * 100,
                        lanes.lowest_share * 100);
  painter.text_fitted(area.x, area.y, area.width, words, style.ink);
  lane_strip(painter, area.x, area.y + caption + painter.dp(4), std::min(area.width, painter.dp(420)), share);
  if (under) {
    selection.owner = &state;
    selection.thread = int64_t(under->block * input.launch.block.count() + under->warp * 32);
    selection.element.reset();
  } else if (selection.owner == &state) {
    selection = Selection{};
  }
}

std::string csv(const ViewInput& input) {
  std::string out = "block,warp,warp_instructions,thread_instructions,active_share\n";
  if (!input.warps) return out;
  for (const WarpCounters& warp : *input.warps) {
    out += fmt::format("{},{},{},{},{}\n", warp.block, warp.warp, warp.warp_instructions,
                       warp.thread_instructions, share_of(warp));
  }
  return out;
}

}  // namespace

const Visualiser warp_lanes_view = {"warp-lanes", "Warps", false, true, false, draw, csv};

}  // namespace warpbook::view
