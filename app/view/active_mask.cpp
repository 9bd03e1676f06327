// active-mask: a warp's life from top to bottom, a row an access to memory, a cell a lane. Who waits is
// empty.
#include "view/active_mask.h"

#include <fmt/format.h>

#include <algorithm>

#include "view/colour.h"
#include "view/paint.h"
#include "view/picture.h"
#include "view/scrub.h"
#include "view/visualisers.h"

namespace warpbook::view {

double ActiveMask::share() const {
  return rows.empty() ? 0 : double(active_lanes) / (32.0 * double(rows.size()));
}

size_t ActiveMask::colour_of(const Row& row) const {
  return size_t(std::lower_bound(lines.begin(), lines.end(), row.line) - lines.begin());
}

ActiveMask make_active_mask(const ViewInput& input) {
  ActiveMask out;
  if (!input.recording) return out;
  std::vector<std::string> spaces = option_list(input, "spaces");
  if (spaces.empty()) spaces = {"global"};
  for (size_t i = 0; i < input.recording->accesses.size(); ++i) {
    const RecordedAccess& access = input.recording->accesses[i];
    if (access.mask == 0 || std::find(spaces.begin(), spaces.end(), access.space) == spaces.end()) continue;
    out.rows.push_back({access.mask, access.line, i});
    out.present |= access.mask;
    out.active_lanes += uint64_t(__builtin_popcount(access.mask));
    out.lines.push_back(access.line);
  }
  std::sort(out.lines.begin(), out.lines.end());
  out.lines.erase(std::unique(out.lines.begin(), out.lines.end()), out.lines.end());
  return out;
}

size_t first_row_shown(size_t rows, size_t fits, size_t step) {
  if (rows <= fits) return 0;
  const size_t before = std::min(step, fits / 2);
  return std::min(step - before, rows - fits);
}

namespace {

uint32_t colour_of_line(const Style& style, size_t place) {
  // Blue, green, orange, purple: neighbours in the series that are told apart well.
  static constexpr size_t order[] = {0, 2, 1, 3};
  return style.series[order[place % 4]];
}

int64_t thread_of_lane(const ViewInput& input, int lane) {
  const Dim3& block = input.recording->block;
  const Dim3& grid = input.launch.grid;
  const uint64_t number = block.x + uint64_t(grid.x) * (block.y + uint64_t(grid.y) * block.z);
  return int64_t(number * input.launch.block.count() + input.recording->warp * 32 + uint64_t(lane));
}

/// How many threads the recorded warp has: the last one of a block may be short.
int threads_of_warp(const ViewInput& input) {
  const int64_t left = int64_t(input.launch.block.count()) - int64_t(input.recording->warp) * 32;
  return int(std::clamp<int64_t>(left, 0, 32));
}

void draw(const ViewInput& input, ViewState& state, Selection& selection, const Style& style,
          const PictureMaker&, const DrawArea& area) {
  Painter painter(style, area, input.stale);
  bool fresh = false;
  const ActiveMask& mask = cached<ActiveMask>(input, state, fresh, [&] { return make_active_mask(input); });
  if (mask.rows.empty()) {
    draw_message(painter,
                 input.recording ? "The first warp touches no memory." : "Run the lab to see who waits.");
    return;
  }
  const size_t step = step_of(state, mask.rows.size());
  const ActiveMask::Row& now = mask.rows[step];
  const RecordedAccess& access = input.recording->accesses[now.access];
  const float caption = painter.line_height();
  const int active = __builtin_popcount(now.mask), threads = threads_of_warp(input);
  painter.text_fitted(area.x, area.y, area.width,
                      fmt::format("line {}: {} of 32 lanes {} {}{}", now.line, active,
                                  access.access == "read" ? "read" : "write", access.buffer,
                                  active < threads ? fmt::format(", {} wait", threads - active) : ""),
                      style.ink);
  painter.text_fitted(
      area.x, area.y + caption, area.width,
      fmt::format("Access {} of {}{}, warp {} of block ({}, {}, {}); over all of them {:.0f} % of the lanes",
                  step + 1, mask.rows.size(), input.recording->complete ? "" : " recorded",
                  input.recording->warp, input.recording->block.x, input.recording->block.y,
                  input.recording->block.z, mask.share() * 100),
      style.muted);

  const float gutter = painter.dp(52), gap = painter.dp(2);
  const float cell = (area.width - gutter - 31 * gap) / 32;
  const float head = area.y + 2 * caption + painter.dp(8), top = head + caption + painter.dp(2);
  const float below = painter.dp(8 + 26 + 8) + caption;
  const float room = std::max(area.y + area.height - below - top, painter.dp(60));
  const float row_height = std::clamp(room / float(mask.rows.size()), painter.dp(7), painter.dp(18));
  const size_t fits = std::max<size_t>(1, size_t(room / row_height));
  const size_t first = first_row_shown(mask.rows.size(), fits, step);
  const size_t last = std::min(mask.rows.size(), first + fits);
  for (const int lane : {0, 8, 16, 24, 31}) {
    painter.text_centred(area.x + gutter + float(lane) * (cell + gap) + cell / 2, head, std::to_string(lane),
                         style.muted);
  }
  int chosen = -1;
  if (selection.owner != &state && selection.thread) {
    const int64_t lane = *selection.thread - thread_of_lane(input, 0);
    if (lane >= 0 && lane < threads) chosen = int(lane);
  }
  bool over = false;
  for (size_t i = first; i < last; ++i) {
    const ActiveMask::Row& row = mask.rows[i];
    const float y = top + float(i - first) * row_height, height = row_height - std::min(gap, row_height / 4);
    const uint32_t colour = colour_of_line(style, mask.colour_of(row));
    const bool new_line = i == first || mask.rows[i - 1].line != row.line;
    if (i == step)
      painter.box(area.x, y - 1, area.width, height + 2, mixed(style.paper, style.warning, 0.35f));
    if (new_line && row_height >= painter.dp(7))
      painter.text(area.x, y + (height - caption) / 2, fmt::format("line {}", row.line), style.muted);
    for (int lane = 0; lane < 32; ++lane) {
      const float x = area.x + gutter + float(lane) * (cell + gap);
      if (lane >= threads) continue;  // no thread: no cell
      const bool on = row.mask >> lane & 1;
      painter.box(x, y, cell, height, on ? colour : mixed(style.paper, style.line, 0.6f), painter.dp(1));
      if (lane == chosen) painter.outline(x, y, cell, height, style.ink, painter.dp(1));
      if (!painter.hovered(x, y, cell + gap, row_height)) continue;
      over = true;
      painter.outline(x, y, cell, height, style.ink, painter.dp(1));
      const RecordedAccess& under = input.recording->accesses[row.access];
      selection.owner = &state;
      selection.thread = thread_of_lane(input, lane);
      selection.element.reset();
      if (on) selection.element = {under.buffer, under.index[size_t(lane)]};
      painter.tooltip(on ? fmt::format("Access {}, line {}: lane {} {}s {}[{}]", i + 1, row.line, lane,
                                       under.access == "read" ? "read" : "write", under.buffer,
                                       under.index[size_t(lane)])
                         : fmt::format("Access {}, line {}: lane {} waits", i + 1, row.line, lane));
    }
  }
  if (!over && selection.owner == &state) {
    selection.thread.reset();
    selection.element.reset();
  }
  if (now.line > 0) selection.line = now.line;
  float y = top + float(last - first) * row_height + painter.dp(8);
  y += scrub(input, state, painter, y, mask.rows.size()) + painter.dp(6);
  std::vector<Painter::LegendEntry> legend;
  for (size_t i = 0; i < mask.lines.size() && i < 4; ++i)
    legend.push_back({colour_of_line(style, i), fmt::format("line {}", mask.lines[i])});
  legend.push_back({mixed(style.paper, style.line, 0.6f), "waits"});
  painter.legend(area.x, y, area.width, legend);
}

std::string csv(const ViewInput& input) {
  std::string out = "access,line,active_lanes,mask\n";
  const ActiveMask mask = make_active_mask(input);
  for (size_t i = 0; i < mask.rows.size(); ++i)
    out += fmt::format("{},{},{},{:#010x}\n", i, mask.rows[i].line, __builtin_popcount(mask.rows[i].mask),
                       mask.rows[i].mask);
  return out;
}

}  // namespace

const Visualiser active_mask_view = {"active-mask", "Mask", false, false, true, draw, csv};

}  // namespace warpbook::view
