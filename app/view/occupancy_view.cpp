// occupancy: the places for warps of one SM, coloured by the block that has them, with the limit in words;
// the resources as bars; three step curves in which the point of the launch can be dragged; all GPUs as a
// table.
#include "view/occupancy_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "view/cell_grid.h"
#include "view/colour.h"
#include "view/visualisers.h"

namespace warpbook::view {

namespace {

bool limits(const Occupancy& o, const char* name) {
  return std::find(o.limiting.begin(), o.limiting.end(), name) != o.limiting.end();
}

ResourceBar bar_of(const Occupancy& o, const char* name, const char* key, int64_t used, int64_t room,
                   bool bytes) {
  ResourceBar bar;
  bar.name = name;
  bar.share = room > 0 ? std::min(1.0, double(used) / double(room)) : 0;
  const auto number = [&](int64_t value) {
    return bytes ? bytes_in_words(value) : with_thousands(uint64_t(std::max<int64_t>(0, value)));
  };
  bar.words = number(used) + " of " + number(room);
  bar.limits = limits(o, key);
  return bar;
}

}  // namespace

OccupancyCells make_occupancy_cells(const OccupancyPicture& picture, int64_t grid_blocks, int sms) {
  const Occupancy& o = picture.occupancy;
  OccupancyCells cells;
  cells.places.assign(size_t(std::max<int64_t>(0, o.max_warps)), -1);
  const int64_t warps = o.active_blocks > 0 ? o.active_warps / o.active_blocks : 0;
  for (int64_t i = 0; i < std::min(o.active_warps, o.max_warps) && warps > 0; ++i)
    cells.places[size_t(i)] = int(i / warps);
  cells.blocks = cells.given = int(o.active_blocks);
  if (sms > 0 && grid_blocks > 0) {
    const int64_t each = (grid_blocks + sms - 1) / sms;
    if (each < o.active_blocks) {
      cells.given = int(each);
      cells.grid = fmt::format("The grid has {} {} for {} SMs: {}{} each, {} of {} places.",
                               with_thousands(uint64_t(grid_blocks)), grid_blocks == 1 ? "block" : "blocks",
                               sms, grid_blocks % sms ? "at most " : "", each, each * warps, o.max_warps);
    }
  }
  cells.headline = fmt::format("{} {} an SM, {:.3g} % occupancy", o.active_blocks,
                               o.active_blocks == 1 ? "block" : "blocks", o.percent);
  cells.words = limit_in_words(picture.question, o);
  const int64_t blocks = o.active_blocks;
  cells.bars.push_back(bar_of(o, "warps", "warps", o.active_warps, o.max_warps, false));
  cells.bars.push_back(
      bar_of(o, "registers", "registers", blocks * o.registers_per_block, picture.registers_per_sm, false));
  cells.bars.push_back(
      bar_of(o, "shared", "shared_memory", blocks * o.shared_per_block, o.shared_pool, true));
  cells.bars.push_back(bar_of(o, "blocks", "blocks", blocks, o.limit_blocks, false));
  return cells;
}

Plot make_occupancy_plot(const OccupancyPicture& picture, int which, const Style& style) {
  Plot plot;
  const auto& points = which == 0   ? picture.by_block_size
                       : which == 1 ? picture.by_registers
                                    : picture.by_shared;
  const double scale = which == 2 ? 1.0 / 1024 : 1;
  const int64_t most = which == 0   ? picture.most_threads
                       : which == 1 ? picture.most_registers
                                    : picture.most_shared;
  const OccupancyQuestion& q = picture.question;
  const int64_t now = which == 0 ? q.block_size : which == 1 ? q.registers : q.dynamic_bytes;
  plot.title = which == 0   ? fmt::format("threads a block: {}", now)
               : which == 1 ? fmt::format("registers a thread: {}", now)
                            : fmt::format("shared KiB a block: {:.4g}", double(now) * scale);
  plot.x = {"", 0, std::max(1.0, double(most) * scale), false, {}};
  plot.y = {"", 0, double(std::max<int64_t>(1, picture.occupancy.max_warps)), false, {}};
  for (double part = 0; part <= 1; part += 0.25) plot.y.ticks.push_back(part * plot.y.high);
  if (which == 0) plot.x.ticks = {32, 256, 512, 768, 1024};
  PlotSeries series;
  series.colour = style.series[0];
  // A block size between two multiples of a warp is its own question; the other two are steps.
  series.form = which == 0 ? PlotSeries::Form::dots : PlotSeries::Form::steps;
  for (const OccupancyPoint& point : points)
    series.points.emplace_back(double(point.value) * scale, double(point.active_warps));
  plot.series.push_back(std::move(series));
  plot.marks.push_back({double(now) * scale, double(picture.occupancy.active_warps), "", style.warning});
  return plot;
}

WhatIf what_if(const OccupancyPicture& picture, int which) {
  switch (which) {
    case 0: return {"ask.block", 1, std::max<int64_t>(1, picture.most_threads), 32};
    case 1: return {"ask.registers", 1, std::max<int64_t>(1, picture.most_registers), 1};
    default: return {"ask.shared", 0, std::max<int64_t>(0, picture.most_shared), 1024};
  }
}

OccupancyQuestion asked_question(const OccupancyPicture& picture, const ViewState& state) {
  OccupancyQuestion question = picture.question;
  int64_t* members[3] = {&question.block_size, &question.registers, &question.dynamic_bytes};
  for (int which = 0; which < 3; ++which)
    if (const auto asked = state.numbers.find(what_if(picture, which).name); asked != state.numbers.end())
      *members[which] = int64_t(asked->second);
  return question;
}

namespace {

/// A word that can be clicked; true when it was.
bool word_button(Painter& painter, float x, float y, const std::string& words, bool on) {
  const float width = painter.width_of(words), height = painter.line_height();
  const bool over = painter.hovered(x, y, width, height);
  painter.text(x, y, words, on ? painter.style().accent : painter.style().muted);
  if (over || on) painter.line(x, y + height - 1, x + width, y + height - 1, painter.style().accent);
  return over && ImGui::IsMouseClicked(0);
}

void draw_bars(Painter& painter, const OccupancyCells& cells, const DrawArea& area) {
  const Style& style = painter.style();
  const float row = area.height / float(std::max<size_t>(1, cells.bars.size()));
  float y = area.y;
  for (const ResourceBar& bar : cells.bars) {
    const uint32_t colour = bar.limits ? style.warning : style.series[0];
    painter.text(area.x, y, bar.name + (bar.limits ? "  (limits)" : ""),
                 bar.limits ? style.ink : style.muted);
    painter.text_right(area.x + area.width, y, bar.words, style.muted);
    const float top = y + painter.line_height() + painter.dp(1), height = painter.dp(6);
    painter.box(area.x, top, area.width, height, style.panel, painter.dp(3));
    painter.box(area.x, top, area.width * float(bar.share), height, colour, painter.dp(3));
    y += row;
  }
}

void draw_all_gpus(Painter& painter, const OccupancyPicture& picture, float top) {
  const Style& style = painter.style();
  const DrawArea& area = painter.area();
  const float row = std::min(painter.line_height() + painter.dp(6),
                             (area.y + area.height - top) / float(picture.gpus.size() + 1));
  const float columns[4] = {painter.dp(170), painter.dp(230), painter.dp(300), painter.dp(316)};
  const char* heads[3] = {"blocks", "warps", "occupancy"};
  const float rights[3] = {columns[0] + painter.dp(10), columns[1] + painter.dp(10),
                           columns[2] + painter.dp(30)};
  for (int i = 0; i < 3; ++i) painter.text_right(area.x + rights[i], top, heads[i], style.muted);
  const float bar_x = area.x + columns[3] + painter.dp(24);
  const float bar_width = std::max(painter.dp(40), area.x + area.width - bar_x);
  painter.text(bar_x, top, "limited by", style.muted);
  float y = top + row;
  const float inset = (row - painter.line_height() / 1.35f) / 2;
  for (const OccupancyPicture::OtherGpu& other : picture.gpus) {
    const bool own = other.gpu == picture.gpu;
    if (own) painter.box(area.x, y, area.width, row, faded(style.accent, 0.15f), painter.dp(3));
    const Occupancy& o = other.occupancy;
    y += inset;
    painter.text_fitted(area.x + painter.dp(4), y, columns[0] - painter.dp(50), other.gpu, style.ink);
    painter.text_right(area.x + rights[0], y, std::to_string(o.active_blocks), style.ink);
    painter.text_right(area.x + rights[1], y, fmt::format("{} of {}", o.active_warps, o.max_warps),
                       style.ink);
    painter.text_right(area.x + rights[2], y, fmt::format("{:.1f} %", o.percent), style.ink);
    std::vector<std::string> names = o.limiting;
    std::replace(names.begin(), names.end(), std::string("shared_memory"), std::string("shared memory"));
    painter.text_fitted(bar_x, y, bar_width, o.active_blocks ? join(names, ", ") : "does not fit",
                        o.active_blocks ? style.muted : style.error);
    y += row - inset;
  }
}

/// The nearest value that the control can take.
int64_t snapped(const WhatIf& control, double value) {
  const double units = std::round(value / double(control.unit));
  return std::clamp(int64_t(units) * control.unit, control.low, control.high);
}

/// A track with a knob under a curve. Dragged, or moved with the arrow keys while the mouse is over it.
std::optional<int64_t> draw_slider(Painter& painter, ViewState& state, const WhatIf& control, int64_t now,
                                   const DrawArea& track) {
  const Style& style = painter.style();
  const float middle = track.y + track.height / 2, reach = painter.dp(6);
  const double span = std::max(1.0, double(control.high - control.low));
  const float knob = track.x + track.width * float(std::clamp(double(now - control.low) / span, 0.0, 1.0));
  painter.line(track.x, middle, track.x + track.width, middle, style.line, painter.dp(3));
  painter.line(track.x, middle, knob, middle, style.accent, painter.dp(3));
  painter.box(knob - reach, middle - reach, 2 * reach, 2 * reach, style.accent, reach);
  const bool over = painter.hovered(track.x - reach, track.y, track.width + 2 * reach, track.height);
  double& dragging = state.numbers[std::string(control.name) + ".drag"];
  if (over && ImGui::IsMouseClicked(0)) dragging = 1;
  if (!ImGui::IsMouseDown(0)) dragging = 0;
  if (dragging > 0) {
    const double share = double((ImGui::GetIO().MousePos.x - track.x) / track.width);
    return snapped(control, double(control.low) + std::clamp(share, 0.0, 1.0) * span);
  }
  if (!over || ImGui::GetIO().WantTextInput) return std::nullopt;
  if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_RightArrow)))
    return snapped(control, double(now + control.unit));
  if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_LeftArrow)))
    return snapped(control, double(now - control.unit));
  return std::nullopt;
}

/// The three curves, each over its slider. Changes go to the state.
void draw_curves(Painter& painter, const OccupancyPicture& picture, ViewState& state, const DrawArea& area) {
  const float gap = painter.dp(16), width = (area.width - 2 * gap) / 3, slider = painter.dp(18);
  const OccupancyQuestion& q = picture.question;
  const float left = painter.width_of(tick_text(double(picture.occupancy.max_warps))) + painter.dp(8);
  const int64_t now[3] = {q.block_size, q.registers, q.dynamic_bytes};
  for (int which = 0; which < 3; ++which) {
    const WhatIf control = what_if(picture, which);
    const float x = area.x + float(which) * (width + gap);
    const auto hover = draw_plot(painter, make_occupancy_plot(picture, which, painter.style()),
                                 {x, area.y, width, area.height - slider});
    const double scale = which == 2 ? 1024 : 1;
    std::optional<int64_t> asked;
    if (hover && hover->pressed) asked = snapped(control, hover->x * scale);
    if (const auto moved =
            draw_slider(painter, state, control, now[which],
                        {x + left, area.y + area.height - slider, width - left - painter.dp(8), slider}))
      asked = moved;
    if (asked) state.numbers[control.name] = double(*asked);
  }
}

void draw_places(Painter& painter, const OccupancyCells& cells, const DrawArea& area) {
  const Style& style = painter.style();
  CellGrid grid;
  grid.columns = columns_for(int(cells.places.size()), area.width, area.height);
  for (const int block : cells.places) {
    Cell cell;
    if (block >= 0) {
      cell.colour = style.series[size_t(block) % 7];
      if (block >= cells.given) cell.colour = mixed(cell.colour, style.paper, 0.75f);
      cell.words = std::to_string(block);
    }
    grid.cells.push_back(std::move(cell));
  }
  std::optional<size_t> over;
  draw_cells(painter, grid, area, &over);
  if (!over || *over >= cells.places.size()) return;
  const int block = cells.places[*over];
  painter.tooltip(block < 0 ? std::string("A place for a warp that stays empty")
                  : block >= cells.given
                      ? fmt::format("Block {} would fit here, but the grid has none for it", block)
                      : fmt::format("A warp of block {} on this SM", block));
}

void draw_one_sm(Painter& painter, const ViewInput& input, const OccupancyPicture& run, ViewState& state,
                 float top) {
  const Style& style = painter.style();
  const DrawArea& area = painter.area();
  const OccupancyQuestion question = asked_question(run, state);
  OccupancyPicture other;
  const bool changed = question.block_size != run.question.block_size ||
                       question.registers != run.question.registers ||
                       question.dynamic_bytes != run.question.dynamic_bytes;
  if (changed && input.occupancy_of) other = input.occupancy_of(question);
  const OccupancyPicture& picture = changed && input.occupancy_of ? other : run;
  const bool sized = !changed && input.modelled;
  const OccupancyCells cells = make_occupancy_cells(picture, sized ? int64_t(input.launch.grid.count()) : 0,
                                                    sized ? input.modelled->sms : 0);

  painter.text(area.x, top, cells.headline, style.ink, Painter::Face::body);
  float y = top + painter.line_height(Painter::Face::body) + painter.dp(2);
  painter.text_fitted(area.x, y, area.width, cells.words, style.muted);
  y += painter.line_height();
  if (!cells.grid.empty()) {
    painter.text_fitted(area.x, y, area.width, cells.grid, style.ink);
    y += painter.line_height();
  }
  y += painter.dp(8);

  // The places and the bars come first: where there is little room the curves are left out.
  const float low = area.y + area.height;
  const bool curved = low - y > painter.dp(280);
  const float curves = curved ? std::min(painter.dp(180), (low - y) * 0.5f) : 0;
  const float middle = low - curves - painter.dp(26) - y;
  const float grid_width = area.width * 0.5f;
  draw_places(painter, cells, {area.x, y, grid_width, middle});
  draw_bars(painter, cells,
            {area.x + grid_width + painter.dp(20), y, area.width - grid_width - painter.dp(20), middle});

  y += middle + painter.dp(4);
  const std::string source =
      changed ? fmt::format("What if: {} threads, {} registers, {} of dynamic shared memory",
                            question.block_size, question.registers, bytes_in_words(question.dynamic_bytes))
      : picture.compiled_for.empty()
          ? std::string("Move a slider to ask what if")
          : fmt::format("{} registers as ptxas gave {}{}", picture.question.registers, picture.compiled_for,
                        curved ? "; move a slider to ask what if" : "");
  const char* back = "back to the run";
  const float back_width = changed ? painter.width_of(back) + painter.dp(16) : 0;
  painter.text_fitted(area.x, y, area.width - back_width, source, style.muted);
  if (changed && word_button(painter, area.x + area.width - painter.width_of(back), y, back, true))
    for (int which = 0; which < 3; ++which) state.numbers.erase(what_if(run, which).name);
  if (!curved) return;
  y += painter.dp(22);
  draw_curves(painter, picture, state, {area.x, y, area.width, low - y});
}

void draw(const ViewInput& input, ViewState& state, Selection&, const Style& style, const PictureMaker&,
          const DrawArea& area) {
  Painter painter(style, area, input.stale);
  if (!input.occupancy) {
    draw_message(painter, "Run the lab to see how its blocks fill an SM.");
    return;
  }
  const OccupancyPicture& picture = *input.occupancy;
  if (!state.numbers.count("all")) state.numbers["all"] = option_text(input, "show") == "gpus" ? 1 : 0;
  const bool all = state.numbers["all"] != 0;
  // A lesson that asks for one of the two has a tab for each.
  if (!option_text(input, "show").empty()) {
    if (all) {
      draw_all_gpus(painter, picture, area.y);
    } else {
      draw_one_sm(painter, input, picture, state, area.y);
    }
    return;
  }
  const std::string one = "One SM of the " + picture.gpu;
  if (word_button(painter, area.x, area.y, one, !all)) state.numbers["all"] = 0;
  if (word_button(painter, area.x + painter.width_of(one) + painter.dp(16), area.y, "All GPUs", all))
    state.numbers["all"] = 1;
  const float top = area.y + painter.line_height() + painter.dp(8);
  if (all) {
    draw_all_gpus(painter, picture, top);
  } else {
    draw_one_sm(painter, input, picture, state, top);
  }
}

std::string csv(const ViewInput& input) {
  std::string out = "gpu,active_blocks,active_warps,max_warps,occupancy_pct\n";
  if (!input.occupancy) return out;
  for (const OccupancyPicture::OtherGpu& other : input.occupancy->gpus)
    out += fmt::format("{},{},{},{},{}\n", other.gpu, other.occupancy.active_blocks,
                       other.occupancy.active_warps, other.occupancy.max_warps, other.occupancy.percent);
  return out;
}

}  // namespace

const Visualiser occupancy_view = {"occupancy", "Occupancy", false, false, false, draw, csv};

}  // namespace warpbook::view
