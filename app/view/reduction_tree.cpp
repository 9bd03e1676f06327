// reduction-tree: one warp's part of a tree of additions, with the lanes that stand idle.
#include "view/reduction_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "view/colour.h"
#include "view/paint.h"
#include "view/scrub.h"
#include "view/visualisers.h"

namespace warpbook::view {

ReductionTree make_reduction_tree(const ViewInput& input) {
  ReductionTree tree;
  if (!input.recording) return tree;
  const std::string wanted = option_text(input, "tile", "s");
  std::map<int64_t, int> owner;               // the lane that stored last into a cell
  std::array<std::vector<int64_t>, 32> read;  // cells read since the lane's last store
  for (const RecordedAccess& access : input.recording->accesses) {
    if (access.space != "shared" || access.buffer != wanted) continue;
    if (access.access == "read") {
      for (size_t lane = 0; lane < 32; ++lane) {
        if (access.mask >> lane & 1) read[lane].push_back(access.index[lane]);
      }
      continue;
    }
    TreeLevel level;
    level.line = access.line;
    level.mask = access.mask;
    level.cell.fill(-1);
    level.partner.fill(-1);
    level.partner_lane.fill(-1);
    for (size_t lane = 0; lane < 32; ++lane) {
      if (!(access.mask >> lane & 1)) continue;
      level.cell[lane] = access.index[lane];
      for (const int64_t cell : read[lane]) {
        if (cell == access.index[lane]) continue;
        level.partner[lane] = cell;
        const auto found = owner.find(cell);
        if (found != owner.end()) level.partner_lane[lane] = found->second;
      }
      read[lane].clear();
    }
    for (size_t lane = 0; lane < 32; ++lane) {
      if (access.mask >> lane & 1) owner[access.index[lane]] = int(lane);
    }
    if (tree.levels.empty()) tree.all_lanes = __builtin_popcount(access.mask);
    tree.levels.push_back(level);
  }
  return tree;
}

std::string level_words(const ReductionTree& tree, size_t level) {
  if (level >= tree.levels.size()) return {};
  const TreeLevel& at = tree.levels[level];
  const int lanes = __builtin_popcount(at.mask), idle = std::max(0, tree.all_lanes - lanes);
  if (level == 0) return fmt::format("line {}: {} lanes fill their cells", at.line, lanes);
  return fmt::format("level {}, line {}: {} {}, {} {} idle", level, at.line, lanes,
                     lanes == 1 ? "lane adds" : "lanes add", idle, idle == 1 ? "stands" : "stand");
}

namespace {

struct Grid {
  float left, top, column, row, radius;
  float x(int lane) const { return left + column * (float(lane) + 0.5f); }
  float y(size_t level) const { return top + row * float(level); }
};

void draw_level(Painter& painter, const ReductionTree& tree, size_t number, const Grid& grid, bool shown,
                bool now) {
  const Style& style = painter.style();
  const TreeLevel& level = tree.levels[number];
  const uint32_t adds = now ? style.warning : style.series[0];
  for (int lane = 0; lane < 32; ++lane) {
    const bool active = level.mask >> lane & 1;
    const float x = grid.x(lane), y = grid.y(number), r = grid.radius;
    if (active && shown && number > 0) {
      const uint32_t colour = mixed(style.paper, adds, now ? 0.9f : 0.5f);
      painter.line(x, grid.y(number - 1) + r, x, y - r, colour, painter.dp(1));
      const int from = level.partner_lane[size_t(lane)];
      if (from >= 0) {
        painter.line(grid.x(from), grid.y(number - 1) + r, x, y - r, colour, painter.dp(1));
      } else if (level.partner[size_t(lane)] >= 0) {  // another warp's: from outside, on the right
        painter.line(std::min(x + 1.2f * grid.column, grid.x(31) + grid.column),
                     grid.y(number - 1) + grid.row / 3, x, y - r, mixed(style.paper, style.series[1], 0.8f),
                     painter.dp(1));
      }
    }
    if (active && shown) {
      painter.box(x - r, y - r, 2 * r, 2 * r, adds, r);
    } else {
      painter.outline(x - r, y - r, 2 * r, 2 * r, style.line, painter.dp(1), r);
    }
  }
}

void draw(const ViewInput& input, ViewState& state, Selection& selection, const Style& style,
          const PictureMaker&, const DrawArea& area) {
  Painter painter(style, area, input.stale);
  const ReductionTree tree = make_reduction_tree(input);
  if (tree.levels.empty()) {
    draw_message(painter, "Run the lab to see one of its warps add up.");
    return;
  }
  const size_t levels = tree.levels.size();
  if (!state.numbers.count("step")) state.numbers["step"] = double(levels - 1);
  const size_t step = step_of(state, levels);
  const Recording& recording = *input.recording;
  const float caption = painter.line_height();
  painter.text_fitted(area.x, area.y, area.width, level_words(tree, step), style.ink);
  painter.text_fitted(area.x, area.y + caption, area.width,
                      fmt::format("Warp {} of block {}. Lanes run from left to right, levels downwards.",
                                  recording.warp, recording.block.x),
                      style.muted);
  const float count_width = painter.width_of("32 of 32") + painter.dp(12);
  Grid grid;
  grid.left = area.x;
  grid.top = area.y + 2 * caption + painter.dp(24);
  grid.column = (area.width - count_width) / 33;  // one column's room for what comes from other warps
  const float room = area.height - (grid.top - area.y) - painter.dp(44) - caption;
  grid.row = std::clamp(room / float(levels), painter.dp(18), painter.dp(40));
  grid.radius = std::min(grid.column * 0.36f, painter.dp(7));
  for (size_t level = 0; level < levels; ++level) {
    draw_level(painter, tree, level, grid, level <= step, level == step);
    const int lanes = __builtin_popcount(tree.levels[level].mask);
    painter.text_right(area.x + area.width, grid.y(level) - caption / 2,
                       fmt::format("{} of {}", lanes, tree.all_lanes),
                       level == step ? style.ink : style.muted);
  }
  bool any = false;
  const uint64_t block = recording.block.x + uint64_t(recording.block.y) * input.launch.grid.x;
  const auto thread_of = [&](int lane) {
    return int64_t(block * input.launch.block.count() + recording.warp * 32 + uint32_t(lane));
  };
  const std::string name = option_text(input, "tile", "s");
  for (size_t level = 0; level < levels; ++level) {
    const TreeLevel& at = tree.levels[level];
    for (int lane = 0; lane < 32; ++lane) {
      const float r = std::max(grid.radius, painter.dp(5)) + painter.dp(2);
      const bool lit = selection.thread && *selection.thread == thread_of(lane) && level <= step;
      if (lit)
        painter.outline(grid.x(lane) - r, grid.y(level) - r, 2 * r, 2 * r, style.ink, painter.dp(1), r);
      if (!painter.hovered(grid.x(lane) - r, grid.y(level) - r, 2 * r, 2 * r)) continue;
      any = true;
      selection.owner = &state;
      selection.thread = thread_of(lane);
      selection.element.reset();
      const size_t l = size_t(lane);
      painter.tooltip(!(at.mask >> lane & 1) ? fmt::format("lane {} stands idle in level {}", lane, level)
                      : level == 0           ? fmt::format("lane {} fills {}[{}]", lane, name, at.cell[l])
                      : at.partner[l] < 0    ? fmt::format("lane {} stores {}[{}]", lane, name, at.cell[l])
                                          : fmt::format("lane {}: {}[{}] += {}[{}]", lane, name, at.cell[l],
                                                        name, at.partner[l]));
    }
  }
  selection.line = tree.levels[step].line;
  if (!any && selection.owner == &state) selection.thread.reset();
  float y = grid.y(levels) - grid.row / 2 + painter.dp(6);
  y += scrub(input, state, painter, y, levels) + painter.dp(4);
  painter.legend(area.x, y, area.width,
                 {{style.warning, "adds in this level"},
                  {style.series[0], "added before"},
                  {style.paper, "idle"},
                  {mixed(style.paper, style.series[1], 0.8f), "sum of another warp"}});
}

std::string csv(const ViewInput& input) {
  std::string out = "level,line,lane,cell,partner\n";
  const ReductionTree tree = make_reduction_tree(input);
  for (size_t level = 0; level < tree.levels.size(); ++level) {
    const TreeLevel& at = tree.levels[level];
    for (size_t lane = 0; lane < 32; ++lane) {
      if (at.mask >> lane & 1)
        out += fmt::format("{},{},{},{},{}\n", level, at.line, lane, at.cell[lane], at.partner[lane]);
    }
  }
  return out;
}

}  // namespace

const Visualiser reduction_tree_view = {"reduction-tree", "Tree", false, false, true, draw, csv};

}  // namespace warpbook::view
