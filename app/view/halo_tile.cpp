// halo-tile: a block's tile with its halo, drawn from what one warp was seen to load, store and read.
#include "view/halo_tile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "view/colour.h"
#include "view/lines.h"
#include "view/paint.h"
#include "view/scrub.h"
#include "view/visualisers.h"

namespace warpbook::view {

HaloTile make_halo_tile(const ViewInput& input, size_t step) {
  HaloTile made;
  const double cells = option_number(input, "cells", 0);
  if (!input.recording || cells < 1 || cells > 4096) return made;
  const std::string tile = option_text(input, "tile", "tile"), from = option_text(input, "from");
  made.cells.resize(size_t(cells));
  made.halo = uint32_t(std::max(0.0, option_number(input, "halo", 0)));
  made.lane_cell.assign(32, -1);
  std::array<int64_t, 32> carried;  // what a lane has loaded and not put down yet
  carried.fill(-1);
  std::array<int, 32> rounds{};
  for (const RecordedAccess& access : input.recording->accesses) {
    if (access.space == "global" && access.access == "read" && access.buffer == from) {
      for (size_t lane = 0; lane < 32; ++lane) {
        if (access.mask >> lane & 1) carried[lane] = access.index[lane];
      }
      continue;
    }
    if (access.space != "shared" || access.buffer != tile) continue;
    const size_t number = made.steps++;
    if (number > step) continue;
    const bool storing = access.access != "read";
    int lanes = 0;
    for (size_t lane = 0; lane < 32; ++lane) {
      if (!(access.mask >> lane & 1)) continue;
      ++lanes;
      const int64_t at = access.index[lane];
      if (storing) ++rounds[lane];
      if (at < 0 || size_t(at) >= made.cells.size()) continue;
      TileCell& cell = made.cells[size_t(at)];
      if (storing) {
        cell.source = carried[lane];
        cell.lane = int(lane);
        cell.round = rounds[lane];
      } else {
        ++cell.reads;
      }
      if (number != step) continue;
      cell.now = true;
      made.lane_cell[lane] = int(at);
    }
    if (storing) carried.fill(-1);
    if (number != step) continue;
    made.storing = storing;
    made.line = access.line;
    made.words = fmt::format("line {}: {} {} {} {}", access.line, lanes, lanes == 1 ? "lane" : "lanes",
                             storing ? (lanes == 1 ? "fills a cell of" : "fill cells of")
                                     : (lanes == 1 ? "reads from" : "read from"),
                             tile);
  }
  for (const TileCell& cell : made.cells) made.filled += cell.lane >= 0;
  return made;
}

namespace {

bool in_halo(const HaloTile& tile, size_t cell) {
  return cell < tile.halo || cell + tile.halo >= tile.cells.size();
}

std::string cell_words(const HaloTile& tile, size_t at, const std::string& name, const std::string& from,
                       uint32_t warp) {
  const TileCell& cell = tile.cells[at];
  std::string words = fmt::format("{}[{}]", name, at);
  if (in_halo(tile, at)) words += ", in the halo";
  if (cell.lane < 0) return words + ": not filled by this warp so far";
  words +=
      cell.source >= 0 ? fmt::format(": {}[{}]", from, cell.source) : std::string(": a value of its own");
  words += fmt::format(", brought by thread {} in round {}", warp * 32 + uint32_t(cell.lane), cell.round);
  if (cell.reads)
    words += fmt::format(", read by {} {} so far", cell.reads, cell.reads == 1 ? "lane" : "lanes");
  return words;
}

void draw(const ViewInput& input, ViewState& state, Selection& selection, const Style& style,
          const PictureMaker&, const DrawArea& area) {
  Painter painter(style, area, input.stale);
  if (!state.numbers.count("step") && input.recording) state.numbers["step"] = 0;
  HaloTile tile = make_halo_tile(input, size_t(std::max(0.0, state.numbers["step"])));
  if (tile.steps && state.numbers["step"] > double(tile.steps - 1)) {
    state.numbers["step"] = double(tile.steps - 1);
    tile = make_halo_tile(input, tile.steps - 1);
  }
  if (tile.steps == 0) {
    draw_message(painter, tile.cells.empty()
                              ? "Run the lab to follow a warp that fills a tile."
                              : "This kernel uses no tile: every thread reads from the array itself.");
    return;
  }
  const std::string name = option_text(input, "tile", "tile"), from = option_text(input, "from", "the array");
  const Recording& recording = *input.recording;
  const float caption = painter.line_height();
  const uint32_t own = style.series[0], rim = style.series[1];
  painter.text_fitted(area.x, area.y, area.width, tile.words, style.ink);
  painter.text_fitted(
      area.x, area.y + caption, area.width,
      fmt::format("Access {} of {} to {}, warp {} of block {}; {} of {} cells filled by this warp",
                  step_of(state, tile.steps) + 1, tile.steps, name, recording.warp, recording.block.x,
                  tile.filled, tile.cells.size()),
      style.muted);
  const size_t count = tile.cells.size();
  const float cell = std::min(area.width / float(count), painter.dp(30));
  const float gap = cell > painter.dp(8) ? painter.dp(2) : 0;
  const float lane_cell = std::min(area.width / 32, painter.dp(22));
  const float left = area.x + (area.width - cell * float(count)) / 2;
  const float lanes_left = area.x + (area.width - lane_cell * 32) / 2;
  const std::vector<Painter::LegendEntry> legend = {{style.warning, "touched by this access"},
                                                    {mixed(style.panel, own, 0.6f), "the block's own cells"},
                                                    {mixed(style.panel, rim, 0.6f), "halo"},
                                                    {style.panel, "not filled by this warp yet"}};
  // What stands below the lanes: their name, the knob, the legend in as many lines as it takes.
  const float below = painter.dp(26 + 20 + 6 + 2) + caption + legend_height(painter, area.width, legend);
  const float high = std::clamp(cell, painter.dp(24), painter.dp(30));
  const float tile_top = area.y + 3 * caption + painter.dp(20);
  const float lanes_top = std::clamp(area.y + area.height - below, tile_top + high + painter.dp(16),
                                     tile_top + high + painter.dp(90));

  // The array's indices above the first and last cell that are known, and the two ends of the halo.
  for (size_t at = 0; at < count; ++at) {
    const float x = left + cell * float(at);
    const TileCell& one = tile.cells[at];
    const uint32_t kind = in_halo(tile, at) ? rim : own;
    const uint32_t colour = one.now         ? style.warning
                            : one.lane >= 0 ? mixed(style.panel, kind, 0.6f)
                                            : style.panel;
    painter.box(x, tile_top, cell - gap, high, colour, gap > 0 ? painter.dp(2) : 0);
    if (cell >= painter.dp(6)) {
      painter.outline(x, tile_top, cell - gap, high, mixed(style.line, kind, 0.6f), 1,
                      gap > 0 ? painter.dp(2) : 0);
    }
    if (one.source >= 0 && at == 0) {
      painter.text(left, tile_top - caption - painter.dp(2), fmt::format("{}[{}]", from, one.source),
                   style.muted);
    } else if (one.source >= 0 && at + 1 == count) {
      painter.text_right(left + cell * float(count), tile_top - caption - painter.dp(2),
                         fmt::format("{}[{}]", from, one.source), style.muted);
    }
    if (one.lane >= 0 && cell >= painter.dp(20)) {
      painter.text_centred(x + (cell - gap) / 2, tile_top + (high - caption) / 2, fmt::format("{}", one.lane),
                           one.now ? style.paper : style.ink);
    }
  }
  for (int lane = 0; lane < 32; ++lane) {
    const float x = lanes_left + lane_cell * float(lane);
    const int at = tile.lane_cell[size_t(lane)];
    if (at >= 0) {
      const float from_x = x + lane_cell / 2, to_x = left + cell * (float(at) + 0.5f) - gap / 2;
      painter.line(from_x, lanes_top, to_x, tile_top + high, mixed(style.paper, style.warning, 0.7f),
                   painter.dp(1));
    }
    painter.box(x, lanes_top, lane_cell - painter.dp(2), painter.dp(20), at >= 0 ? style.warning : style.line,
                painter.dp(2));
    if (lane % 4 == 0 || lane_cell >= painter.width_of("31") + painter.dp(4)) {
      painter.text_centred(x + lane_cell / 2 - painter.dp(1), lanes_top + (painter.dp(20) - caption) / 2,
                           fmt::format("{}", lane), at >= 0 ? style.paper : style.muted);
    }
  }
  painter.text(lanes_left, lanes_top + painter.dp(22), "lanes of the warp", style.muted);

  bool any = false;
  const uint64_t threads = input.launch.block.count();
  const uint64_t block = recording.block.x + uint64_t(recording.block.y) * input.launch.grid.x;
  const auto thread_of = [&](int lane) {
    return int64_t(block * threads + recording.warp * 32 + uint32_t(lane));
  };
  for (size_t at = 0; at < count; ++at) {
    const float x = left + cell * float(at);
    const TileCell& one = tile.cells[at];
    if (painter.hovered(x, tile_top, cell, high)) {
      any = true;
      selection.owner = &state;
      selection.element.reset();
      if (one.source >= 0) selection.element = {from, one.source};
      selection.thread = one.lane >= 0 ? std::optional(thread_of(one.lane)) : std::nullopt;
      painter.tooltip(cell_words(tile, at, name, from, recording.warp));
    }
    const bool lit =
        (selection.element && selection.element->first == from && one.source == selection.element->second) ||
        (selection.thread && one.lane >= 0 && *selection.thread == thread_of(one.lane));
    if (lit) painter.outline(x - 1, tile_top - 2, cell - gap + 2, high + 4, style.ink, painter.dp(2));
  }
  for (int lane = 0; lane < 32; ++lane) {
    if (!painter.hovered(lanes_left + lane_cell * float(lane), lanes_top, lane_cell, painter.dp(20)))
      continue;
    any = true;
    selection.owner = &state;
    selection.thread = thread_of(lane);
    selection.element.reset();
    const int at = tile.lane_cell[size_t(lane)];
    painter.tooltip(
        at < 0 ? fmt::format("lane {} has nothing to do in this access", lane)
               : fmt::format("lane {}: {}", lane, cell_words(tile, size_t(at), name, from, recording.warp)));
  }
  if (tile.line > 0) selection.line = tile.line;
  if (!any && selection.owner == &state) {
    selection.element.reset();
    selection.thread.reset();
  }
  float y = lanes_top + painter.dp(26) + caption;
  y += scrub(input, state, painter, y, tile.steps) + painter.dp(6);
  painter.legend(area.x, y, area.width, legend);
}

std::string csv(const ViewInput& input) {
  std::string out = "cell,source,lane,round,reads\n";
  const HaloTile tile = make_halo_tile(input, size_t(-1) / 2);
  for (size_t at = 0; at < tile.cells.size(); ++at) {
    const TileCell& cell = tile.cells[at];
    out += fmt::format("{},{},{},{},{}\n", at, cell.source, cell.lane, cell.round, cell.reads);
  }
  return out;
}

}  // namespace

const Visualiser halo_tile_view = {"halo-tile", "Tile", false, false, true, draw, csv};

}  // namespace warpbook::view
