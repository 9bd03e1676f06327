// tile-walk: one warp's way over A and B, an access a step. Scrub with the mouse or the arrow keys.
#include "view/tile_walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "view/colour.h"
#include "view/paint.h"
#include "view/picture.h"
#include "view/scrub.h"
#include "view/visualisers.h"

namespace warpbook::view {

TileWalk make_tile_walk(const ViewInput& input, size_t step) {
  TileWalk walk;
  if (!input.recording) return walk;
  double n = option_number(input, "n", 0);
  for (const char* key : {"a", "b", "c"}) {
    std::string buffer = option_text(input, key);
    if (buffer.empty()) continue;
    WalkMatrix matrix;
    matrix.buffer = buffer;
    matrix.rows = uint32_t(option_number(input, std::string(key) + "_rows", n));
    matrix.columns = uint32_t(option_number(input, std::string(key) + "_columns", n));
    size_t cells = size_t(matrix.rows) * matrix.columns;
    if (cells == 0 || cells > (1u << 20)) continue;
    matrix.reads.assign(cells, 0);
    matrix.writes.assign(cells, 0);
    matrix.now.assign(cells, 0);
    walk.matrices.push_back(std::move(matrix));
  }
  auto matrix_of = [&](const std::string& buffer) -> WalkMatrix* {
    for (WalkMatrix& matrix : walk.matrices) {
      if (matrix.buffer == buffer) return &matrix;
    }
    return nullptr;
  };
  for (const RecordedAccess& access : input.recording->accesses) {
    WalkMatrix* matrix = access.space == "global" ? matrix_of(access.buffer) : nullptr;
    if (!matrix) continue;
    size_t number = walk.steps++;
    if (number > step) continue;
    std::set<int64_t> distinct;
    for (int lane = 0; lane < 32; ++lane) {
      if (!(access.mask >> lane & 1)) continue;
      int64_t index = access.index[size_t(lane)];
      if (index < 0 || size_t(index) >= matrix->reads.size()) continue;
      auto& touched = access.access == "read" ? matrix->reads : matrix->writes;
      if (touched[size_t(index)] < 65535) ++touched[size_t(index)];
      if (number == step) {
        ++matrix->now[size_t(index)];
        distinct.insert(index);
      }
    }
    if (number == step) {
      walk.line = access.line;
      int active = __builtin_popcount(access.mask);
      walk.words = fmt::format(
          "line {}: {} {} {} {} of {}", access.line, active, active == 1 ? "lane" : "lanes",
          access.access == "read" ? "read" : "write",
          distinct.size() == 1 ? std::string("one element") : fmt::format("{} elements", distinct.size()),
          access.buffer);
    }
  }
  return walk;
}

namespace {

Pixels paint_matrix(const WalkMatrix& matrix, const Style& style) {
  Pixels pixels;
  pixels.width = matrix.columns;
  pixels.height = matrix.rows;
  pixels.rgba.resize(matrix.reads.size());
  for (size_t i = 0; i < matrix.reads.size(); ++i) {
    uint32_t touches = uint32_t(matrix.reads[i]) + matrix.writes[i];
    uint32_t colour = style.panel;
    if (matrix.writes[i]) {
      colour = mixed(style.panel, style.series[2], 0.7f);
    } else if (touches) {
      colour = mixed(style.panel, style.series[0], 0.35f + 0.12f * float(std::min(touches, 5u)));
    }
    if (matrix.now[i]) colour = style.warning;
    pixels.rgba[i] = colour;
  }
  return pixels;
}

void draw(const ViewInput& input, ViewState& state, Selection& selection, const Style& style,
          const PictureMaker& maker, const DrawArea& area) {
  Painter painter(style, area, input.stale);
  if (!state.numbers.count("step") && input.recording) {  // begins half way, where there is something to see
    state.numbers["step"] = double(make_tile_walk(input, 0).steps / 2);
  }
  size_t step = size_t(std::max(0.0, state.numbers["step"]));
  // Made anew for each step: a few thousand recorded accesses are cheap, and a step is a keystroke.
  TileWalk walk = make_tile_walk(input, step);
  if (walk.steps == 0 || walk.matrices.empty()) {
    draw_message(painter, "Run the lab to follow one of its warps.");
    return;
  }
  float caption = painter.line_height();
  const Dim3& block = input.recording->block;
  painter.text_fitted(area.x, area.y, area.width, walk.words, style.ink);
  painter.text_fitted(area.x, area.y + caption, area.width,
                      fmt::format("Access {} of {}{}, warp {} of block ({}, {}, {})", step + 1, walk.steps,
                                  input.recording->complete ? "" : " recorded", input.recording->warp,
                                  block.x, block.y, block.z),
                      style.muted);
  float gap = painter.dp(16), y = area.y + 2 * caption + painter.dp(6);
  float bottom = area.y + area.height - caption - painter.dp(38);
  // Three matrices stand as the product is drawn on paper: A left of C, B above it.
  const bool product = walk.matrices.size() == 3;
  const float columns = product ? 2 : float(walk.matrices.size());
  const float rows = product ? 2 : 1;
  float side = std::min((area.width - gap * (columns - 1)) / columns,
                        (bottom - y - (rows - 1) * painter.dp(6)) / rows - caption);
  float lowest = y;
  bool any_hovered = false;
  for (size_t i = 0; i < walk.matrices.size(); ++i) {
    const WalkMatrix& matrix = walk.matrices[i];
    const float column = product ? (i == 0 ? 0.f : 1.f) : float(i),
                row = product ? (i == 1 ? 0.f : 1.f) : 0.f;
    float x = area.x + column * (side + gap), top = y + row * (side + caption + painter.dp(6));
    painter.text_fitted(x, top, side, fmt::format("{} ({} × {})", matrix.buffer, matrix.rows, matrix.columns),
                        style.muted);
    Placed place = fit(matrix.columns, matrix.rows, x, top + caption, side, side);
    place.x = x;
    draw_pixels(painter, state, maker, i, paint_matrix(matrix, style), true, place);
    painter.outline(place.x - 1, place.y - 1, place.width + 2, place.height + 2, style.line);
    lowest = std::max(lowest, place.y + place.height);
    if (selection.owner != &state && selection.element && selection.element->first == matrix.buffer &&
        selection.element->second >= 0 &&
        uint64_t(selection.element->second) < uint64_t(matrix.rows) * matrix.columns)
      ring(painter, place, matrix.columns, selection.element->second, style.warning);
    if (!painter.hovered(place.x, place.y, place.width, place.height)) continue;
    ImVec2 mouse = ImGui::GetIO().MousePos;
    if (auto cell = place.cell(mouse.x, mouse.y)) {
      size_t index = size_t(cell->second) * matrix.columns + cell->first;
      any_hovered = true;
      selection.owner = &state;
      selection.element = {matrix.buffer, int64_t(index)};
      painter.tooltip(fmt::format("{}[{}], row {}, column {}: read {} times by this warp, written {}",
                                  matrix.buffer, index, cell->second, cell->first, matrix.reads[index],
                                  matrix.writes[index]));
    }
  }
  if (walk.line > 0) selection.line = walk.line;
  if (!any_hovered && selection.owner == &state) selection.element.reset();
  scrub(input, state, painter, lowest + painter.dp(8), walk.steps);
  painter.legend(area.x, lowest + painter.dp(34), area.width,
                 {{style.warning, "touched at this step"},
                  {mixed(style.panel, style.series[0], 0.6f), "read before"},
                  {mixed(style.panel, style.series[2], 0.7f), "written"}});
}

std::string csv(const ViewInput& input) {
  std::string out = "step,line,buffer,space,access,lane,index\n";
  if (!input.recording) return out;
  for (const RecordedAccess& access : input.recording->accesses) {
    for (int lane = 0; lane < 32; ++lane) {
      if (!(access.mask >> lane & 1)) continue;
      out += fmt::format("{},{},{},{},{},{},{}\n", access.step, access.line, access.buffer, access.space,
                         access.access, lane, access.index[size_t(lane)]);
    }
  }
  return out;
}

}  // namespace

const Visualiser tile_walk_view = {"tile-walk", "Walk", false, false, true, draw, csv};

}  // namespace warpbook::view
