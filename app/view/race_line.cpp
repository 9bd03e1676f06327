// race-line: the two accesses of a race on a time line, once in each order, with the result of each.
#include "view/race_line.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "view/colour.h"
#include "view/paint.h"
#include "view/scrub.h"
#include "view/visualisers.h"

namespace warpbook::view {

namespace {

constexpr size_t steps_a_race = 4;  // two orders, two accesses each

int64_t through_the_grid(const Dim3& block, const Dim3& thread, const Launch& launch) {
  const int64_t b = block.x + int64_t(launch.grid.x) * (block.y + int64_t(launch.grid.y) * block.z);
  const int64_t t = thread.x + int64_t(launch.block.x) * (thread.y + int64_t(launch.block.y) * thread.z);
  return b * int64_t(launch.block.count()) + t;
}

std::string place(const Dim3& at) {
  if (at.z) return fmt::format("({}, {}, {})", at.x, at.y, at.z);
  if (at.y) return fmt::format("({}, {})", at.x, at.y);
  return fmt::format("{}", at.x);
}

/// What comes of `first` and then `second`.
std::string outcome_of(const RaceAccess& first, const RaceAccess& second) {
  if (first.access == "read") return fmt::format("{} reads the old value", first.who);
  if (second.access == "read") return fmt::format("{} reads what {} wrote", second.who, first.who);
  return fmt::format("what {} wrote stays", second.who);
}

}  // namespace

RaceLine make_race_line(const ViewInput& input) {
  RaceLine made;
  if (!input.diagnostics) return made;
  for (const Diagnosis& found : *input.diagnostics) {
    if (!starts_with(found.kind, "race-") || !found.other || !found.block || !found.thread) continue;
    Race race;
    race.cell = found.index ? fmt::format("{}[{}]", found.buffer, *found.index) : found.buffer;
    race.global = found.kind == "race-global";
    race.one.access = found.access;
    race.one.line = found.line;
    race.one.block = *found.block;
    race.one.thread = *found.thread;
    race.other.access = found.other->access;
    race.other.line = found.other->line;
    race.other.block = found.other->block.value_or(*found.block);
    race.other.thread = found.other->thread.value_or(Dim3{0, 0, 0});
    const bool one_block = race.one.block == race.other.block;
    for (RaceAccess* access : {&race.one, &race.other}) {
      access->number = through_the_grid(access->block, access->thread, input.launch);
      access->who = "thread " + place(access->thread);
      if (!one_block) access->who += " of block " + place(access->block);
    }
    race.outcome = {outcome_of(race.one, race.other), outcome_of(race.other, race.one)};
    race.cure = one_block && race.one.line == race.other.line
                    ? "A barrier in the middle of the line would leave one order only."
                : one_block
                    ? "A barrier between the two lines would leave one order only."
                    : "No barrier reaches across blocks: another launch, or an atomic, has to part them.";
    made.races.push_back(std::move(race));
  }
  if (made.races.empty()) {
    made.words = has_errors(*input.diagnostics)
                     ? "This run found no race, but something else: it stands below."
                     : "No two accesses of this run meet without something that orders them.";
  }
  return made;
}

size_t race_steps(const RaceLine& line) { return line.races.size() * steps_a_race; }

RaceStep race_step(size_t step) { return {step / steps_a_race, step % steps_a_race / 2, int(step % 2) + 1}; }

namespace {

struct Lanes {
  float left, width, name_width;
  float row;  ///< height of a thread's line, in dp
};
constexpr float roomy_row = 34, tight_row = 28;

/// The height of one order.
float order_height(const Painter& painter, float row) {
  return painter.dp(2 * row + 8) + 2 * painter.line_height();
}

/// One order: the threads' two lines, the accesses that have happened, and what came of them. Sets `under` to
/// the access under the mouse.
void draw_order(Painter& painter, const Race& race, size_t order, int happened, const Lanes& at, float y,
                const RaceAccess*& under) {
  const Style& style = painter.style();
  const float caption = painter.line_height(), row = painter.dp(at.row), box = painter.dp(24);
  const RaceAccess* accesses[2] = {&race.one, &race.other};
  const RaceAccess* first = accesses[order];
  const float line_left = at.left + at.name_width, line_width = at.width - at.name_width;
  const float box_width = std::min(painter.dp(112), line_width * 0.36f);
  painter.text_fitted(at.left, y, at.width, fmt::format("When {} comes first", first->who),
                      happened ? style.ink : style.muted);
  y += caption + painter.dp(6);
  float middle[2] = {0, 0}, centre[2] = {0, 0};
  for (int i = 0; i < 2; ++i) {
    const RaceAccess& access = *accesses[i];
    const float top = y + row * float(i);
    middle[i] = top + row / 2;
    painter.text_fitted(at.left, middle[i] - caption / 2, at.name_width - painter.dp(8), access.who,
                        style.muted);
    painter.line(line_left, middle[i], line_left + line_width, middle[i], style.line, painter.dp(2));
  }
  for (int turn = 0; turn < 2; ++turn) {
    const int i = turn == 0 ? int(order) : 1 - int(order);
    const RaceAccess& access = *accesses[i];
    const float x = line_left + line_width * (turn == 0 ? 0.10f : 0.56f);
    centre[i] = x + box_width / 2;
    const bool done = happened > turn, now = happened == turn + 1;
    const uint32_t kind = access.access == "read" ? style.series[0] : style.series[1];
    const float top = middle[i] - box / 2;
    painter.box(x, top, box_width, box, done ? mixed(style.paper, kind, now ? 0.75f : 0.4f) : style.paper,
                painter.dp(4));
    painter.outline(x, top, box_width, box,
                    now    ? style.ink
                    : done ? kind
                           : style.line,
                    painter.dp(now ? 2.f : 1.f), painter.dp(4));
    painter.text_centred(centre[i], middle[i] - caption / 2,
                         fmt::format("{}, line {}", access.access, access.line),
                         done ? style.ink : style.muted);
    if (painter.hovered(x, top, box_width, box)) under = &access;
  }
  if (happened == 2) {
    const int a = int(order), b = 1 - a;
    painter.line(centre[a] + box_width / 2, middle[a], centre[b] - box_width / 2, middle[b], style.ink,
                 painter.dp(1));
  }
  y += 2 * row + painter.dp(2);
  if (happened == 2) painter.text_fitted(line_left, y, line_width, race.outcome[order], style.ink);
}

void draw(const ViewInput& input, ViewState& state, Selection& selection, const Style& style,
          const PictureMaker&, const DrawArea& area) {
  Painter painter(style, area, input.stale);
  const RaceLine line = make_race_line(input);
  if (line.races.empty()) {
    draw_message(painter, line.words.empty() ? "Run the lab to look for accesses that race." : line.words);
    return;
  }
  if (!state.numbers.count("step")) state.numbers["step"] = 3;  // both orders, told to their end
  const size_t steps = race_steps(line);
  const RaceStep at = race_step(step_of(state, steps));
  const Race& race = line.races[at.race];
  const float caption = painter.line_height();
  painter.text_fitted(area.x, area.y, area.width,
                      fmt::format("{}: line {} and line {} meet, and nothing orders them", race.cell,
                                  race.one.line, race.other.line),
                      style.ink);
  painter.text_fitted(area.x, area.y + caption, area.width,
                      fmt::format("Race {} of {}. {}", at.race + 1, line.races.size(), race.cure),
                      style.muted);
  float y = area.y + 2 * caption + painter.dp(16);
  const float name =
      std::min(std::max(painter.width_of(race.one.who), painter.width_of(race.other.who)) + painter.dp(12),
               area.width / 3);
  const RaceAccess* under = nullptr;
  // Under a diagnosis there is room for one order only: that of the step.
  const float below = painter.dp(20 + 6 + 2) + caption;
  const bool both =
      y - area.y + 2 * (order_height(painter, roomy_row) + painter.dp(18)) + below <= area.height;
  if (!both) y -= painter.dp(8);
  const float row = both ? roomy_row : tight_row;
  for (size_t order = 0; order < 2; ++order) {
    if (!both && order != at.order) continue;
    const int happened = order < at.order ? 2 : order == at.order ? at.happened : 0;
    draw_order(painter, race, order, happened, {area.x, area.width, name, row}, y, under);
    y += order_height(painter, row) + painter.dp(both ? 18 : 6);
  }
  y += scrub(input, state, painter, y, steps) + painter.dp(6);
  painter.legend(area.x, y, area.width,
                 {{mixed(style.paper, style.series[0], 0.6f), "read"},
                  {mixed(style.paper, style.series[1], 0.6f), "write or atomic"}});
  const RaceAccess& now = *((at.happened == 1) == (at.order == 0) ? &race.one : &race.other);
  selection.line = under ? under->line : now.line;
  if (under) {
    selection.owner = &state;
    selection.thread = under->number;
    selection.element.reset();
    painter.tooltip(fmt::format("{}: {} of {} in line {}", thread_words(under->number, input.launch),
                                under->access, race.cell, under->line));
  } else if (selection.owner == &state) {
    selection.thread.reset();
  }
}

std::string csv(const ViewInput& input) {
  std::string out =
      "race,cell,order,first_thread,first_access,first_line,second_thread,second_access,second_line\n";
  const RaceLine line = make_race_line(input);
  for (size_t i = 0; i < line.races.size(); ++i) {
    const Race& race = line.races[i];
    for (int order = 0; order < 2; ++order) {
      const RaceAccess &a = order ? race.other : race.one, &b = order ? race.one : race.other;
      out += fmt::format("{},{},{},{},{},{},{},{},{}\n", i, race.cell, order, a.number, a.access, a.line,
                         b.number, b.access, b.line);
    }
  }
  return out;
}

}  // namespace

const Visualiser race_line_view = {"race-line", "Races", false, false, false, draw, csv};

}  // namespace warpbook::view
