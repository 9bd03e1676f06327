// time-bar: where the time went, compile, load, copy, kernel, copy, draw apart; the first run above the later
// one, since compile time is easily read as compute time. The emulator's own time is named as such and never
// as a GPU's.
#include "view/time_bar.h"

#include <fmt/format.h>

#include <algorithm>

#include "view/lines.h"
#include "view/paint.h"
#include "view/visualisers.h"

namespace warpbook::view {

namespace {

TimeBar bar_of(const Times& times, std::string title) {
  TimeBar bar;
  bar.title = std::move(title);
  auto part = [&](const char* name, const std::optional<double>& ms, int series) {
    if (!ms) return;
    bar.parts.push_back({name, *ms, series});
    bar.total += *ms;
  };
  part("compile", times.compile_ms, 4);
  part("load", times.load_ms, 6);
  part("copy in", times.copy_in_ms, 1);
  if (times.kernel_ms) {
    part("kernel", times.kernel_ms, 2);
  } else {
    part("kernel, on the emulator", times.emulator_ms, 2);
  }
  part("copy out", times.copy_out_ms, 3);
  part("draw", times.draw_ms, 5);
  if (times.cached) {
    bar.note = "the compiled code came from the cache";
  } else if (bar.total > 0 && !bar.parts.empty()) {
    auto longest = std::max_element(bar.parts.begin(), bar.parts.end(),
                                    [](const TimePart& a, const TimePart& b) { return a.ms < b.ms; });
    bar.note = fmt::format("{}: {:.0f} % of the time", longest->name, 100 * longest->ms / bar.total);
  }
  return bar;
}

}  // namespace

std::vector<TimeBar> make_time_bars(const ViewInput& input) {
  std::vector<TimeBar> bars;
  if (input.first_times) bars.push_back(bar_of(*input.first_times, "First run"));
  if (input.times && input.times != input.first_times) bars.push_back(bar_of(*input.times, "This run"));
  return bars;
}

namespace {

void draw(const ViewInput& input, ViewState&, Selection&, const Style& style, const PictureMaker&,
          const DrawArea& area) {
  Painter painter(style, area, input.stale);
  std::vector<TimeBar> bars = make_time_bars(input);
  double longest = 0;
  for (const TimeBar& bar : bars) longest = std::max(longest, bar.total);
  if (longest <= 0) {
    draw_message(painter, "Run the lab to see where its time goes.");
    return;
  }
  const auto body = Painter::Face::body;
  float y = area.y, height = painter.dp(28);
  for (const TimeBar& bar : bars) {
    painter.text(area.x, y, fmt::format("{}: {} ms", bar.title, short_number(bar.total)), style.ink, body);
    painter.text_right(area.x + area.width, y + painter.dp(3), bar.note, style.muted);
    y += painter.line_height(body) + painter.dp(4);
    painter.box(area.x, y, area.width, height, style.panel, painter.dp(3));
    float x = area.x;
    for (const TimePart& part : bar.parts) {
      float width = float(part.ms / longest) * area.width;
      painter.box(x, y, std::max(width, 1.f), height, style.series[part.series]);
      if (painter.hovered(x, y, std::max(width, painter.dp(3)), height)) {
        painter.tooltip(fmt::format("{}: {} ms, {:.1f} % of {} ms", part.name, short_number(part.ms),
                                    100 * part.ms / bar.total, short_number(bar.total)));
      }
      x += width;
    }
    y += height + painter.dp(8);
    std::vector<Painter::LegendEntry> entries;
    for (const TimePart& part : bar.parts) {
      entries.push_back(
          {style.series[part.series], fmt::format("{} {} ms", part.name, short_number(part.ms))});
    }
    y += painter.legend(area.x, y, area.width, entries) + painter.dp(20);
  }
  if (input.times && !input.times->kernel_ms) {
    text_wrapped(painter, area.x, y, area.width,
                 "Wall time of this machine's processor. No GPU took part, so none of it is GPU time.",
                 style.muted);
  }
}

std::string csv(const ViewInput& input) {
  std::string out = "run,part,ms\n";
  for (const TimeBar& bar : make_time_bars(input)) {
    for (const TimePart& part : bar.parts)
      out += fmt::format("{},\"{}\",{}\n", bar.title, part.name, part.ms);
  }
  return out;
}

}  // namespace

const Visualiser time_bar_view = {"time-bar", "Time", false, false, false, draw, csv};

}  // namespace warpbook::view
