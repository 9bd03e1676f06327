// tape: a lane each for the host, the copies of both ways and the kernels; below, the memories of host and
// device as they are after the step that the knob stands at.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "view/colour.h"
#include "view/paint.h"
#include "view/picture.h"
#include "view/scrub.h"
#include "view/tape.h"
#include "view/visualisers.h"

namespace warpbook::view {

namespace {

constexpr const char* lane_names[tape_lanes] = {"host", "copy in", "copy out", "kernels"};

uint32_t lane_colour(const Style& style, TapeLane lane) {
  switch (lane) {
    case TapeLane::host: return style.muted;
    case TapeLane::copy_in: return style.series[0];
    case TapeLane::copy_out: return style.series[2];
    case TapeLane::kernel: return style.series[1];
  }
  return style.muted;
}

uint32_t cell_colour(const Style& style, CellState state) {
  switch (state) {
    case CellState::host: return style.series[0];
    case CellState::copied: return style.series[2];
    case CellState::kernel: return style.series[1];
    case CellState::set: return style.series[3];
    case CellState::unknown: return mixed(style.paper, style.muted, 0.25f);
    default: return 0;
  }
}

/// Poison is hatched: it is there and means nothing.
void draw_cell(Painter& painter, float x, float y, float side, float height, CellState state, bool lit) {
  const Style& style = painter.style();
  if (state == CellState::absent) return;
  if (state == CellState::poison || state == CellState::freed) {
    const uint32_t colour = state == CellState::poison ? style.warning : style.line;
    painter.outline(x, y, side, height, colour, painter.dp(1));
    if (state == CellState::poison) {
      painter.line(x, y + height, x + side, y, colour, painter.dp(1));
      painter.line(x, y + height / 2, x + side / 2, y, colour, painter.dp(1));
      painter.line(x + side / 2, y + height, x + side, y + height / 2, colour, painter.dp(1));
    }
  } else {
    painter.box(x, y, side, height, mixed(style.paper, cell_colour(style, state), lit ? 0.95f : 0.5f));
  }
  if (lit) painter.outline(x, y, side, height, style.ink, painter.dp(1.5f));
}

std::string size_words(uint64_t bytes) {
  if (bytes < 10000) return fmt::format("{} B", with_thousands(bytes));
  if (bytes < 10'000'000) return fmt::format("{:.4g} kB", double(bytes) / 1e3);
  return fmt::format("{:.4g} MB", double(bytes) / 1e6);
}

/// One side's buffers, a row each; the height used.
float draw_memory(Painter& painter, const char* title, const std::vector<TapeBuffer>& buffers, size_t step,
                  float x, float y, float width, bool tight) {
  const Style& style = painter.style();
  const float caption = painter.line_height(), gap = painter.dp(2), row = painter.dp(16);
  const float between = painter.dp(tight ? 1 : 6);
  painter.text(x, y, title, style.ink);
  float used = caption + between;
  float names = painter.dp(40);
  for (const TapeBuffer& buffer : buffers)
    names = std::max(names, painter.width_of(buffer.name, Painter::Face::mono) + painter.dp(10));
  names = std::min(names, width * 0.35f);
  const float sizes = painter.dp(62);
  const float cells = std::max(painter.dp(40), width - names - sizes);
  const float side = std::min(painter.dp(20), (cells + gap) / tape_cells - gap);
  bool any = false;
  for (const TapeBuffer& buffer : buffers) {
    if (buffer.at(step, 0) == CellState::absent && buffer.at(step, tape_cells - 1) == CellState::absent)
      continue;
    any = true;
    const bool freed = buffer.at(step, 0) == CellState::freed;
    painter.text_fitted(x, y + used, names - painter.dp(6), buffer.name, freed ? style.muted : style.ink,
                        Painter::Face::mono);
    for (int cell = 0; cell < tape_cells; ++cell)
      draw_cell(painter, x + names + float(cell) * (side + gap), y + used, side, row, buffer.at(step, cell),
                buffer.lit(step, cell));
    const float end = x + names + tape_cells * (side + gap) + painter.dp(4);
    painter.text_fitted(end, y + used, x + width - end, freed ? "freed" : size_words(buffer.bytes),
                        style.muted);
    if (painter.hovered(x, y + used, width, row))
      painter.tooltip(fmt::format("{}: {} bytes of {} memory, {} a cell", buffer.name,
                                  with_thousands(buffer.bytes), buffer.device ? "device" : "host",
                                  size_words((buffer.bytes + tape_cells - 1) / tape_cells)));
    used += row + between;
  }
  if (!any) {
    painter.text_fitted(x, y + used, width, "nothing yet", style.muted);
    used += row;
  }
  return used;
}

void draw(const ViewInput& input, ViewState& state, Selection& selection, const Style& style,
          const PictureMaker&, const DrawArea& area) {
  Painter painter(style, area, input.stale);
  if (!input.program) {
    draw_message(painter, "Run the program to see what its host code asks of CUDA.");
    return;
  }
  bool fresh = false;
  const TapeStory& story =
      cached<TapeStory>(input, state, fresh, [&] { return make_tape_story(*input.program); });
  if (story.steps.empty()) {
    draw_message(painter, "The program called nothing of CUDA.");
    return;
  }
  // A new tape is shown whole: its end tells most.
  if (!state.numbers.count("step") || fresh) state.numbers["step"] = double(story.steps.size() - 1);
  const size_t count = story.steps.size();
  size_t at = step_of(state, count);
  const float caption = painter.line_height();

  float names = 0;
  for (const char* lane_name : lane_names)
    names = std::max(names, painter.width_of(lane_name) + painter.dp(14));
  const float left = area.x + names, width = area.width - names;
  const bool tight = area.height < painter.dp(290);  // a small window: lanes and rows move together
  const float lane = painter.dp(tight ? 14 : 22);
  float y = area.y + 2 * caption + painter.dp(12);
  const float column = width / float(count);
  for (int i = 0; i < tape_lanes; ++i) {
    const float top = y + lane * float(i);
    painter.text_fitted(area.x, top + (lane - caption) / 2, names - painter.dp(6), lane_names[i],
                        style.muted);
    painter.line(left, top + lane / 2, left + width, top + lane / 2, style.line, painter.dp(1));
  }
  const bool line_chosen = selection.line && selection.owner != &state;
  for (size_t i = 0; i < count; ++i) {
    const TapeStep& step = story.steps[i];
    const float x = left + column * float(i), top = y + lane * float(step.lane) + painter.dp(tight ? 1 : 3);
    const float box = std::max(painter.dp(2), std::min(column - painter.dp(2), painter.dp(40)));
    const float height = lane - painter.dp(tight ? 2 : 6);
    const uint32_t colour = step.failed ? style.error : lane_colour(style, step.lane);
    painter.box(x, top, box, height, i <= at ? colour : mixed(style.paper, colour, 0.35f), painter.dp(3));
    const bool same_line = line_chosen && *selection.line == step.line;
    if (i == at || same_line)
      painter.outline(x - painter.dp(1), top - painter.dp(1), box + painter.dp(2), height + painter.dp(2),
                      i == at ? style.ink : style.accent, painter.dp(2), painter.dp(3));
    if (painter.hovered(x, y, column, lane * tape_lanes)) {
      painter.tooltip(step.line > 0 ? fmt::format("line {}: {}", step.line, step.words) : step.words);
      if (ImGui::IsMouseClicked(0)) {
        state.numbers["step"] = double(i);
        at = i;
      }
    }
  }
  const TapeStep& now = story.steps[at];
  std::string head = fmt::format("Step {} of {}", at + 1, count);
  if (now.line > 0) head += fmt::format(", line {}", now.line);
  if (now.times > 1) head += fmt::format(", {} times", with_thousands(now.times));
  if (!now.outcome.empty())
    head += ": " + now.outcome;
  else if (now.ms > 0)
    head += fmt::format(" ({:.3g} ms modelled)", now.ms);
  if (story.left_out > 0 && at + 1 == count) head += fmt::format("; {} more are not shown", story.left_out);
  painter.text_fitted(area.x, area.y, area.width, head, now.failed ? style.error : style.muted);
  painter.text_fitted(area.x, area.y + caption + painter.dp(2), area.width, now.words, style.ink,
                      Painter::Face::mono);

  const float space = painter.dp(tight ? 2 : 10);
  y += lane * tape_lanes + painter.dp(tight ? 2 : 6);
  y += scrub(input, state, painter, y, count) + space;

  const float half = (area.width - painter.dp(20)) / 2;
  const bool side_by_side = half > painter.dp(220);
  const float panel = side_by_side ? half : area.width;
  const float host = draw_memory(painter, "Host memory", story.host, at, area.x, y, panel, tight);
  const float device = draw_memory(painter, "Device memory", story.device, at,
                                   side_by_side ? area.x + half + painter.dp(20) : area.x,
                                   side_by_side ? y : y + host + painter.dp(8), panel, tight);
  y += (side_by_side ? std::max(host, device) : host + device + painter.dp(8)) + painter.dp(8);
  // Cut in two it would say nothing; the cells' colours are those of the lanes above.
  if (y + caption <= area.y + area.height)
    painter.legend(area.x, y, area.width,
                   {{mixed(style.paper, style.series[0], 0.6f), "from the host"},
                    {mixed(style.paper, style.series[1], 0.6f), "written by a kernel"},
                    {mixed(style.paper, style.series[2], 0.6f), "copied back"},
                    {style.warning, "hatched: never written"}});
  // A launch can be opened by whoever shows the tape.
  const TapeRow& row = input.program->tape.rows[now.row];
  state.numbers["launch"] = row.launch ? double(row.sequence) : 0;
  // The step's line is the selected one, until somebody points elsewhere.
  const double shown = state.numbers["shown_step"];
  if (fresh || shown != double(at)) {
    state.numbers["shown_step"] = double(at);
    if (now.line > 0) {
      selection.line = now.line;
      selection.owner = &state;
    }
  }
}

std::string csv(const ViewInput& input) {
  std::string out = "step,line,lane,call,outcome,times,modelled_ms\n";
  if (!input.program) return out;
  const TapeStory story = make_tape_story(*input.program);
  for (size_t i = 0; i < story.steps.size(); ++i) {
    const TapeStep& step = story.steps[i];
    out += fmt::format("{},{},{},\"{}\",{},{},{}\n", i, step.line, lane_names[int(step.lane)],
                       replace_all(step.words, "\"", "\"\""), step.outcome, step.times, step.ms);
  }
  return out;
}

}  // namespace

const Visualiser tape_view = {"tape", "Tape", false, false, false, draw, csv};

}  // namespace warpbook::view
