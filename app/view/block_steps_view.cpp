// block-steps: a block's warps as rows of 32 lanes at one step, their whole life as a time line under it, and
// the two sides of a diagnosis marked on both.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "view/block_steps.h"
#include "view/colour.h"
#include "view/paint.h"
#include "view/picture.h"
#include "view/scrub.h"
#include "view/visualisers.h"

namespace warpbook::view {

namespace {

using Event = RecordedStep::Event;

/// A stretch of a warp's life in one colour, in shares of the recording.
struct Stretch {
  float begin = 0, end = 0;
  uint32_t warp = 0;
  int kind = 0;  ///< 0 runs, 1 runs the line of the diagnosis, 2 that of the other side, 3 waits
};

/// What does not change from step to step.
struct Steps {
  MomentOf moment;
  std::vector<Stretch> stretches;
};

int kind_of_line(const ViewInput& input, int line) {
  if (!input.opened || line <= 0) return 0;
  if (line == input.opened->line) return 1;
  return input.opened->other && line == input.opened->other->line ? 2 : 0;
}

/// The time line, in at most so many columns: in each the most telling thing that a warp did in it.
constexpr size_t most_columns = 240;

std::vector<Stretch> stretches_of(const ViewInput& input, const BlockRecording& recording) {
  std::vector<Stretch> made;
  if (recording.steps.empty()) return made;
  const size_t columns = std::min(most_columns, recording.steps.size());
  std::vector<std::vector<int>> kinds(recording.warps, std::vector<int>(columns, -1));
  std::vector<bool> waits(recording.warps, false), gone(recording.warps, false);
  size_t at = 0;
  for (size_t column = 0; column < columns; ++column) {
    const size_t end = (column + 1) * recording.steps.size() / columns;
    for (uint32_t warp = 0; warp < recording.warps; ++warp)
      kinds[warp][column] = waits[warp] && !gone[warp] ? 3 : -1;
    for (; at < end; ++at) {
      const RecordedStep& step = recording.steps[at];
      if (step.warp >= recording.warps) continue;
      int& kind = kinds[step.warp][column];
      const int now = kind_of_line(input, step.line);
      waits[step.warp] = step.event == Event::waits_at_barrier;
      gone[step.warp] = step.live == 0;
      // The lines of a diagnosis are few: they win their column. A wait shows from the next column on.
      if (now == 1 || kind <= 0 || kind == 3) kind = now;
    }
  }
  for (uint32_t warp = 0; warp < recording.warps; ++warp) {
    for (size_t column = 0; column < columns;) {
      size_t end = column + 1;
      while (end < columns && kinds[warp][end] == kinds[warp][column]) ++end;
      if (kinds[warp][column] >= 0) {
        made.push_back(
            {float(column) / float(columns), float(end) / float(columns), warp, kinds[warp][column]});
      }
      column = end;
    }
  }
  return made;
}

uint32_t colour_of_kind(const Style& style, int kind) {
  switch (kind) {
    case 1: return style.error;
    case 2: return style.series[4];
    case 3: return mixed(style.paper, style.warning, 0.55f);
    default: return mixed(style.paper, style.series[0], 0.75f);
  }
}

int64_t thread_at(const ViewInput& input, uint32_t warp, int lane) {
  const Dim3& block = input.block_recording->block;
  const Dim3& grid = input.launch.grid;
  const uint64_t number = block.x + uint64_t(grid.x) * (block.y + uint64_t(grid.y) * block.z);
  return int64_t(number * input.launch.block.count() + warp * 32 + uint64_t(lane));
}

/// Warp and lane of one side of the diagnosis, when it lies in this block.
struct Lane {
  int warp = -1, lane = -1;
};
Lane lane_of(const ViewInput& input, const std::optional<Dim3>& block, const std::optional<Dim3>& thread) {
  if (!thread || (block && !(*block == input.block_recording->block))) return {};
  const Dim3& size = input.launch.block;
  const uint32_t number = thread->x + size.x * (thread->y + size.y * thread->z);
  return {int(number / 32), int(number % 32)};
}

/// Rows of warps that are drawn: all, or those around the warp that moves.
struct Rows {
  uint32_t first = 0, last = 0;
};
Rows rows_shown(uint32_t warps, uint32_t fit, uint32_t middle) {
  if (warps <= fit) return {0, warps};
  const uint32_t first = std::min(middle > fit / 2 ? middle - fit / 2 : 0, warps - fit);
  return {first, first + fit};
}

std::string line_of_source(const std::string& source, int line) {
  const auto lines = lines_of(source);
  if (line < 1 || size_t(line) > lines.size()) return {};
  return std::string(trim(lines[size_t(line) - 1]));
}

std::string under_words(const ViewInput& input, const RecordedStep& step, uint32_t warp, int lane,
                        const WarpMoment& moment) {
  std::string words = thread_words(thread_at(input, warp, lane), input.launch);
  if (words.empty()) return words;
  const bool on = step.warp == warp && step.mask >> lane & 1;
  if (!(moment.live >> lane & 1)) return words + " has left the kernel";
  if (moment.at_barrier >> lane & 1)
    return words + fmt::format(" waits at the barrier of line {}", moment.barrier_line);
  if (moment.for_lanes >> lane & 1) return words + " waits for other lanes of its warp";
  if (!on) return words + (step.warp == warp ? " is not in this step" : "");
  if (step.access < 0) return words + fmt::format(" runs line {}", step.line);
  const StepAccess& access = input.block_recording->accesses[size_t(step.access)];
  if (!(access.mask >> lane & 1)) return words + fmt::format(" runs line {}", step.line);
  return words + fmt::format(": {} of {}[{}]", access.access, access.buffer, access.index[size_t(lane)]);
}

void draw(const ViewInput& input, ViewState& state, Selection& selection, const Style& style,
          const PictureMaker&, const DrawArea& area) {
  Painter painter(style, area, input.stale);
  if (!input.block_recording || input.block_recording->steps.empty()) {
    draw_message(painter,
                 input.block_recording ? "The block made no step." : "Run the lab to see its steps.");
    return;
  }
  const BlockRecording& recording = *input.block_recording;
  bool fresh = false;
  const Steps& steps = cached<Steps>(input, state, fresh, [&] {
    return Steps{input.opened ? moment_of(recording, input.launch.block, *input.opened) : MomentOf{},
                 stretches_of(input, recording)};
  });
  if (!state.numbers.count("step")) {
    state.numbers["step"] = steps.moment.one ? double(steps.moment.one->step) : 0;
    state.numbers["generation"] = double(input.generation);
  }
  const size_t at = step_of(state, recording.steps.size());
  const RecordedStep& step = recording.steps[at];
  const std::vector<WarpMoment> warps = warps_after(recording, at);
  const float caption = painter.line_height();
  painter.text_fitted(area.x, area.y, area.width, step_words(recording, at), style.ink);
  if (input.source)
    painter.text_fitted(area.x, area.y + caption + painter.dp(2), area.width,
                        line_of_source(*input.source, step.line), style.muted, Painter::Face::mono);

  // Rows of lanes.
  const float label = painter.dp(56), words_width = painter.dp(108), gap = painter.dp(1.5f);
  const float cell = (area.width - label - words_width - 31 * gap) / 32;
  const float head = area.y + 2 * caption + painter.dp(12), top = head + caption + painter.dp(2);
  const float tracks = std::clamp(float(recording.warps) * painter.dp(6), painter.dp(12), painter.dp(48));
  const float below = painter.dp(14) + tracks + painter.dp(34) + caption;
  const float room = std::max(area.y + area.height - below - top, painter.dp(20));
  const float row_height =
      std::clamp(room / float(std::max(1u, recording.warps)), painter.dp(9), painter.dp(22));
  const uint32_t fit = std::max(1u, uint32_t(room / row_height));
  const Rows rows = rows_shown(recording.warps, fit, step.warp);
  for (const int lane : {0, 8, 16, 24, 31}) {
    painter.text_centred(area.x + label + float(lane) * (cell + gap) + cell / 2, head, std::to_string(lane),
                         style.muted);
  }
  Lane one, other;
  if (input.opened) {
    one = lane_of(input, input.opened->block, input.opened->thread);
    if (input.opened->other)
      other = lane_of(input, input.opened->other->block ? input.opened->other->block : input.opened->block,
                      input.opened->other->thread);
  }
  bool over = false;
  for (uint32_t warp = rows.first; warp < rows.last; ++warp) {
    const float y = top + float(warp - rows.first) * row_height;
    const float height = row_height - std::min(painter.dp(3), row_height / 4);
    const float text_y = y + (height - caption) / 2;
    const WarpMoment& moment = warps[warp];
    const uint32_t present = lanes_of_warp(recording, warp);
    if (moment.now)
      painter.box(area.x, y - 1, area.width, height + 2, mixed(style.paper, style.accent, 0.12f),
                  painter.dp(3));
    painter.text(area.x + painter.dp(2), text_y, fmt::format("warp {}", warp),
                 moment.now ? style.ink : style.muted);
    const uint32_t colour = colour_of_kind(style, kind_of_line(input, moment.line));
    for (int lane = 0; lane < 32; ++lane) {
      if (!(present >> lane & 1)) continue;
      const float x = area.x + label + float(lane) * (cell + gap);
      const bool on = moment.begun && moment.ran >> lane & 1, lives = moment.live >> lane & 1;
      const bool waits = (moment.at_barrier | moment.for_lanes) >> lane & 1;
      uint32_t fill = mixed(style.paper, style.line, 0.75f);
      if (waits) fill = colour_of_kind(style, 3);
      if (on && !waits) fill = moment.now ? colour : mixed(style.paper, colour, 0.4f);
      if (!lives && !(on && moment.now)) fill = style.paper;
      painter.box(x, y, cell, height, fill, painter.dp(1));
      if (!lives) painter.outline(x, y, cell, height, style.line, 1, painter.dp(1));
      if (int(warp) == one.warp && lane == one.lane)
        painter.outline(x - 1, y - 1, cell + 2, height + 2, style.error, painter.dp(2), painter.dp(2));
      if (int(warp) == other.warp && lane == other.lane)
        painter.outline(x - 1, y - 1, cell + 2, height + 2, style.series[4], painter.dp(2), painter.dp(2));
      if (selection.owner != &state && selection.thread && *selection.thread == thread_at(input, warp, lane))
        painter.outline(x, y, cell, height, style.ink, painter.dp(1.5f));
      if (!painter.hovered(x, y, cell + gap, row_height)) continue;
      over = true;
      painter.outline(x, y, cell, height, style.ink, painter.dp(1.5f));
      selection.owner = &state;
      selection.thread = thread_at(input, warp, lane);
      selection.element.reset();
      if (step.warp == warp && step.access >= 0) {
        const StepAccess& access = recording.accesses[size_t(step.access)];
        if (access.mask >> lane & 1) selection.element = {access.buffer, access.index[size_t(lane)]};
      }
      painter.tooltip(under_words(input, step, warp, lane, moment));
    }
    painter.text_fitted(area.x + area.width - words_width + painter.dp(8), text_y,
                        words_width - painter.dp(8), warp_words(moment),
                        moment.now ? style.ink : style.muted);
  }
  if (!over && selection.owner == &state) {
    selection.thread.reset();
    selection.element.reset();
    selection.owner = nullptr;
  }
  if (step.line > 0) selection.line = step.line;

  // Their life.
  float y = top + float(rows.last - rows.first) * row_height + painter.dp(14);
  const float track = tracks / float(std::max(1u, recording.warps));
  for (const Stretch& stretch : steps.stretches) {
    painter.box(area.x + stretch.begin * area.width, y + track * float(stretch.warp),
                std::max(1.0f, (stretch.end - stretch.begin) * area.width),
                std::max(1.0f, track - (track > painter.dp(3) ? painter.dp(1) : 0)),
                colour_of_kind(style, stretch.kind));
  }
  const double last = std::max<double>(1, double(recording.steps.size() - 1));
  const auto x_of = [&](size_t which) { return area.x + float(double(which) / last) * area.width; };
  const auto mark = [&](const std::optional<FoundStep>& found, uint32_t colour) {
    if (!found) return;
    const float x = std::clamp(x_of(found->step), area.x + 1, area.x + area.width - 1);
    painter.line(x, y - painter.dp(6), x, y + tracks + painter.dp(2), colour, painter.dp(2));
    painter.box(x - painter.dp(3), y - painter.dp(9), painter.dp(6), painter.dp(6), colour, painter.dp(3));
  };
  mark(steps.moment.other, style.series[4]);
  mark(steps.moment.one, style.error);
  painter.line(x_of(at), y - painter.dp(2), x_of(at), y + tracks + painter.dp(4), style.ink, painter.dp(1));
  if (painter.hovered(area.x, y, area.width, tracks) && ImGui::IsMouseClicked(0))
    state.numbers["step"] =
        std::clamp(double((ImGui::GetIO().MousePos.x - area.x) / area.width), 0.0, 1.0) * last;
  y += tracks + painter.dp(4);
  y += scrub(input, state, painter, y, recording.steps.size()) + painter.dp(4);
  std::vector<Painter::LegendEntry> legend;
  if (input.opened && input.opened->line > 0)
    legend.push_back({colour_of_kind(style, 1), fmt::format("line {}", input.opened->line)});
  if (input.opened && input.opened->other && input.opened->other->line > 0 &&
      input.opened->other->line != input.opened->line)
    legend.push_back({colour_of_kind(style, 2), fmt::format("line {}", input.opened->other->line)});
  legend.push_back({colour_of_kind(style, 0), legend.empty() ? "runs" : "other lines"});
  legend.push_back({colour_of_kind(style, 3), "waits"});
  legend.push_back({style.paper, "has left"});
  painter.legend(area.x, y, area.width, legend);
}

std::string csv(const ViewInput& input) {
  std::string out = "step,warp,line,event,lanes,mask,live,access,buffer\n";
  if (!input.block_recording) return out;
  static constexpr const char* events[] = {"ran",  "waits at barrier", "waits for lanes", "released",
                                           "left", "faulted"};
  const BlockRecording& recording = *input.block_recording;
  for (size_t i = 0; i < recording.steps.size(); ++i) {
    const RecordedStep& step = recording.steps[i];
    const StepAccess* access = step.access >= 0 ? &recording.accesses[size_t(step.access)] : nullptr;
    out += fmt::format("{},{},{},{},{},{:#010x},{:#010x},{},{}\n", i, step.warp, step.line,
                       events[size_t(step.event)], __builtin_popcount(step.mask), step.mask, step.live,
                       access ? access->access : "", access ? access->buffer : "");
  }
  return out;
}

}  // namespace

const Visualiser block_steps_view = {"block-steps", "Steps", false, false, false, draw, csv, true};

}  // namespace warpbook::view
