// warp-lanes: the heat map of divergence. A warp whose lanes all work is bright; one that drags a few along
// is dark.
#include "view/warp_lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "view/colour.h"
#include "view/paint.h"
#include "view/visualisers.h"

namespace warpbook::view {

double share_of(const WarpCounters& warp) {
  if (warp.warp_instructions == 0) return 0;
  return double(warp.thread_instructions) / (32.0 * double(warp.warp_instructions));
}

namespace {

/// How warps become pixels.
struct Layout {
  uint64_t grid_x = 1, grid_y = 1;      ///< blocks
  uint32_t block_x = 1, block_y = 1;    ///< pixels of a block
  std::vector<uint32_t> warp_of_pixel;  ///< of a block, row by row
};

/// One pixel a warp: the warps of a block in rows of `across`.
Layout a_pixel_a_warp(uint64_t grid_x, uint64_t grid_y, uint32_t warps, uint32_t across) {
  Layout layout{grid_x, grid_y, across, (warps + across - 1) / across, {}};
  layout.warp_of_pixel.resize(size_t(layout.block_x) * layout.block_y);
  for (size_t i = 0; i < layout.warp_of_pixel.size(); ++i) layout.warp_of_pixel[i] = uint32_t(i);
  return layout;
}

/// One pixel a thread: the picture has the shape of the data, and a warp that of its threads in it.
std::optional<Layout> a_pixel_a_thread(const Launch& launch) {
  constexpr uint64_t most_pixels = 1u << 20, most_sides = 16;
  Layout layout{launch.grid.x,
                uint64_t(launch.grid.y) * launch.grid.z,
                launch.block.x,
                launch.block.y * launch.block.z,
                {}};
  const uint64_t width = layout.grid_x * layout.block_x, height = layout.grid_y * layout.block_y;
  if (width * height > most_pixels || width > most_sides * height || height > most_sides * width)
    return std::nullopt;
  layout.warp_of_pixel.resize(size_t(layout.block_x) * layout.block_y);
  for (size_t i = 0; i < layout.warp_of_pixel.size(); ++i) layout.warp_of_pixel[i] = uint32_t(i / 32);
  return layout;
}

Layout layout_of(const Launch& launch, uint32_t warps) {
  const uint64_t grid_x = std::max(1u, launch.grid.x), grid_y = uint64_t(launch.grid.y) * launch.grid.z;
  if (grid_y == 1 && launch.block.y == 1 && launch.block.z == 1) {
    // One dimension: whole blocks side by side, folded into a picture about twice as wide as high.
    const double side_by_side = std::sqrt(2.0 * double(grid_x) / warps);
    const uint64_t columns = std::clamp<uint64_t>(uint64_t(std::ceil(side_by_side)), 1, grid_x);
    return a_pixel_a_warp(columns, (grid_x + columns - 1) / columns, warps, warps);
  }
  if (auto layout = a_pixel_a_thread(launch)) return std::move(*layout);
  const uint32_t across =
      launch.block.x > 32 && launch.block.x % 32 == 0 ? std::min(warps, launch.block.x / 32) : 1;
  return a_pixel_a_warp(grid_x, grid_y, warps, across);
}

}  // namespace

WarpLanes make_warp_lanes(const ViewInput& input) {
  WarpLanes out;
  if (!input.warps || input.warps->empty()) return out;
  const auto warps = uint32_t((input.launch.block.count() + 31) / 32);
  const Layout layout = layout_of(input.launch, warps);
  const uint64_t width = layout.grid_x * layout.block_x, height = layout.grid_y * layout.block_y;
  if (width > 4096 || height > 4096) return out;
  // Where each warp of each block stands in what was recorded.
  std::vector<int32_t> found(size_t(layout.grid_x * layout.grid_y) * warps, -1);
  uint64_t issued = 0, active = 0;
  for (size_t i = 0; i < input.warps->size(); ++i) {
    const WarpCounters& warp = (*input.warps)[i];
    const uint64_t at = warp.block * warps + warp.warp;
    if (warp.warp >= warps || at >= found.size()) continue;
    found[size_t(at)] = int32_t(i);
    issued += warp.warp_instructions;
    active += warp.thread_instructions;
    if (warp.warp_instructions) out.lowest_share = std::min(out.lowest_share, share_of(warp));
  }
  out.mean_share = issued ? double(active) / (32.0 * double(issued)) : 0;
  out.pixels.width = uint32_t(width);
  out.pixels.height = uint32_t(height);
  out.pixels.rgba.assign(size_t(width * height), 0);
  out.warp_at.assign(out.pixels.rgba.size(), -1);
  for (size_t i = 0; i < out.warp_at.size(); ++i) {
    const uint64_t x = i % width, y = i / width;
    const uint64_t block = y / layout.block_y * layout.grid_x + x / layout.block_x;
    const uint32_t warp =
        layout.warp_of_pixel[size_t(y % layout.block_y * layout.block_x + x % layout.block_x)];
    const uint64_t at = block * warps + warp;
    if (warp >= warps || found[size_t(at)] < 0) continue;
    out.warp_at[i] = found[size_t(at)];
    out.pixels.rgba[i] = map_colour(ColourMap::viridis, share_of((*input.warps)[size_t(found[size_t(at)])]));
  }
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

/// A frame around all pixels of one warp.
template <class IsIt>
void ring_around(Painter& painter, const Placed& place, const WarpLanes& lanes, IsIt is_it, uint32_t colour) {
  uint32_t left = lanes.pixels.width, top = lanes.pixels.height, right = 0, bottom = 0;
  for (size_t i = 0; i < lanes.warp_at.size(); ++i) {
    if (!is_it(lanes.warp_at[i])) continue;
    const auto x = uint32_t(i % lanes.pixels.width), y = uint32_t(i / lanes.pixels.width);
    left = std::min(left, x);
    top = std::min(top, y);
    right = std::max(right, x + 1);
    bottom = std::max(bottom, y + 1);
  }
  if (right <= left) return;
  painter.outline(place.x + float(left) * place.scale - 1, place.y + float(top) * place.scale - 1,
                  float(right - left) * place.scale + 2, float(bottom - top) * place.scale + 2, colour,
                  painter.dp(2));
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
    const auto is_it = [&](int32_t at) {
      return at >= 0 && (*input.warps)[size_t(at)].block == block && (*input.warps)[size_t(at)].warp == warp;
    };
    ring_around(painter, place, lanes, is_it, style.warning);
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
