// modelled-time: what each resource alone would take, the winner named, with its band, formula and the strip
// of waves; roofline: the same launch under the roofs of its GPU.
#include "view/modelled_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "result/rounded.h"
#include "view/colour.h"
#include "view/visualisers.h"

namespace warpbook::view {

std::string modelled_headline(const ModelledTime& m) {
  return fmt::format("{} on the {}, between {} and {}", time_in_words(m.us), m.gpu, time_in_words(m.low_us),
                     time_in_words(m.high_us));
}

std::vector<TermBar> make_term_bars(const ModelledTime& m, const ModelledTime* previous) {
  std::vector<TermBar> bars;
  double longest = 0;
  for (const TimeTerm& term : m.terms) longest = std::max(longest, term.cycles);
  if (previous)
    for (const TimeTerm& term : previous->terms) longest = std::max(longest, term.cycles);
  for (const TimeTerm& term : m.terms) {
    TermBar bar;
    bar.label = term.label;
    bar.words = term.words;
    bar.cycles = term.cycles;
    bar.share = longest > 0 ? term.cycles / longest : 0;
    bar.dominates = term.name == m.dominating;
    if (previous)
      for (const TimeTerm& old : previous->terms)
        if (old.name == term.name && longest > 0) bar.previous_share = old.cycles / longest;
    bars.push_back(std::move(bar));
  }
  return bars;
}

std::string waves_in_words(const ModelledTime& m) {
  const std::string wave = short_number(double(int64_t(m.sms) * m.blocks_per_sm));
  if (m.waves < 1)
    return fmt::format("{} of the {} blocks that a wave has room for", short_number(double(m.blocks)), wave);
  const double last = m.waves - std::floor(m.waves);
  if (last == 0) return fmt::format("{:.3g} full waves of {} blocks", m.waves, wave);
  return fmt::format("{:.3g} waves of {} blocks; the last one is {:.0f} % full", m.waves, wave, 100 * last);
}

std::vector<float> make_wave_strips(const ModelledTime& m, size_t most) {
  std::vector<float> ends = m.slot_ends;
  std::sort(ends.begin(), ends.end(), std::greater<>());
  if (ends.size() <= most || most == 0) return ends;
  std::vector<float> strips;
  for (size_t i = 0; i < most; ++i) strips.push_back(ends[i * ends.size() / most]);
  return strips;
}

Plot make_roofline(const ModelledTime& m, const Style& style) {
  Plot plot;
  plot.y.label = "GFLOP/s";
  plot.x.label = "floating-point operations a byte";
  plot.x.logarithmic = plot.y.logarithmic = true;
  const double peak = m.peak_tflops * 1000;
  const double reached = m.us > 0 ? m.flop / m.us / 1000 : 0;  // GFLOP/s
  double low_x = 0.05, high_x = 200;
  for (const MemoryLevel& level : m.memory) {
    if (level.bytes <= 0 || m.flop <= 0) continue;
    low_x = std::min(low_x, m.flop / level.bytes / 2);
    high_x = std::max(high_x, m.flop / level.bytes * 2);
  }
  plot.x.low = low_x;
  plot.x.high = high_x;
  plot.y.high = peak * 2;
  plot.y.low = std::min(peak / 1e4, reached > 0 ? reached / 2 : peak);
  int colour = 0;
  for (const MemoryLevel& level : m.memory) {
    const uint32_t tone = style.series[colour++ % 8];
    PlotSeries roof;
    roof.name = fmt::format("{} {} GB/s", level.name, short_number(level.peak_gb_s));
    roof.colour = tone;
    const double ridge = peak / level.peak_gb_s;
    const double start = std::max(low_x, plot.y.low / level.peak_gb_s);
    if (start < ridge) roof.points.emplace_back(start, start * level.peak_gb_s);
    roof.points.emplace_back(std::max(ridge, low_x), peak);
    roof.points.emplace_back(high_x, peak);
    plot.series.push_back(std::move(roof));
    if (level.bytes <= 0 || reached <= 0) continue;
    const double x = m.flop / level.bytes;
    // Where two levels carry the same bytes their marks would cover each other.
    const auto same = std::find_if(plot.marks.begin(), plot.marks.end(), [x](const PlotMark& mark) {
      return std::abs(std::log(x / mark.x)) < 0.1;
    });
    if (same != plot.marks.end()) {
      same->words += ", " + level.name;
    } else {
      plot.marks.push_back({x, reached, level.name, tone});
    }
  }
  return plot;
}

namespace {

/// Draws until `bottom`; the place below what was drawn.
float draw_terms(Painter& painter, const std::vector<TermBar>& bars, float y, float bottom) {
  const Style& style = painter.style();
  const DrawArea& area = painter.area();
  const float height = painter.dp(14), row = painter.line_height() + height + painter.dp(8);
  for (const TermBar& bar : bars) {
    if (y + row > bottom) break;
    const uint32_t colour = bar.dominates ? style.warning : style.series[0];
    painter.text(area.x, y, bar.label, bar.dominates ? style.ink : style.muted);
    painter.text_right(area.x + area.width, y, rounded_figure(bar.cycles) + " cycles an SM", style.muted);
    const float top = y + painter.line_height();
    painter.box(area.x, top, area.width, height, style.panel, painter.dp(3));
    painter.box(area.x, top, std::max(1.f, area.width * float(bar.share)), height, colour, painter.dp(3));
    if (bar.previous_share >= 0) {
      const float x = area.x + area.width * float(bar.previous_share);
      painter.line(x, top - painter.dp(2), x, top + height + painter.dp(2), style.ink, painter.dp(1.5f));
    }
    if (painter.hovered(area.x, y, area.width, row)) painter.tooltip(bar.words);
    y += row;
  }
  return y;
}

void draw_waves(Painter& painter, const ModelledTime& m, float y, float height) {
  const Style& style = painter.style();
  const DrawArea& area = painter.area();
  const std::vector<float> strips = make_wave_strips(m, size_t(std::max(1.f, height / painter.dp(2))));
  painter.text_fitted(area.x, y, area.width, waves_in_words(m), style.muted);
  y += painter.line_height() + painter.dp(2);
  painter.box(area.x, y, area.width, height, style.panel, painter.dp(3));
  if (strips.empty()) {
    painter.box(area.x, y, area.width, height, faded(style.series[1], 0.8f), painter.dp(3));
    return;
  }
  const float row = height / float(strips.size());
  for (size_t i = 0; i < strips.size(); ++i)
    painter.box(area.x, y + float(i) * row, area.width * strips[i], row, faded(style.series[1], 0.8f));
  if (painter.hovered(area.x, y, area.width, height))
    painter.tooltip(
        "Each row is some of the places for blocks, from the start to the end of the launch; empty is a "
        "place that has run dry.");
}

void draw_time(const ViewInput& input, ViewState&, Selection&, const Style& style, const PictureMaker&,
               const DrawArea& area) {
  Painter painter(style, area, input.stale);
  if (!input.modelled) {
    draw_message(painter, "Run the lab to see what its time is made of.");
    return;
  }
  const ModelledTime& m = *input.modelled;
  const float stamp = painter.stamp(area.x, area.y, Stamp::modelled);
  // Where the headline has no room, its band stands in a line of its own: no end of it may be cut off.
  const float room = area.width - stamp - painter.dp(8);
  const std::string headline = modelled_headline(m);
  const size_t comma = headline.rfind(", between");
  const bool two_lines = painter.width_of(headline, Painter::Face::body) > room;
  painter.text_fitted(area.x + stamp + painter.dp(8), area.y - painter.dp(2), room,
                      two_lines ? headline.substr(0, comma) : headline, style.ink, Painter::Face::body);
  if (painter.hovered(area.x, area.y, area.width, painter.line_height(Painter::Face::body)))
    painter.tooltip(m.formula);
  float y = area.y + painter.line_height(Painter::Face::body) + painter.dp(6);
  if (two_lines) {
    painter.text_fitted(area.x, y, area.width, headline.substr(comma + 2), style.ink);
    y += painter.line_height();
  }
  std::string note = m.dominating == "launch"
                         ? "The launch itself takes longer than the work."
                         : "Each bar: how long the launch would take were this the only limit.";
  if (const std::string as = option_text(input, "as"); !as.empty()) {
    painter.text_fitted(area.x, y, area.width, "As if " + as + ".", style.ink);
    y += painter.line_height();
  }
  painter.text_fitted(area.x, y, area.width, note, style.muted);
  y += painter.line_height() + painter.dp(6);
  const float strip = painter.dp(40),
              foot = area.y + area.height - strip - painter.line_height() - painter.dp(4);
  draw_terms(painter, make_term_bars(m, input.previous_modelled), y, foot - painter.dp(4));
  draw_waves(painter, m, foot, strip);
}

std::string time_csv(const ViewInput& input) {
  std::string out = "term,cycles\n";
  if (!input.modelled) return out;
  for (const TimeTerm& term : input.modelled->terms) out += fmt::format("{},{}\n", term.name, term.cycles);
  return out;
}

void draw_roofline(const ViewInput& input, ViewState&, Selection&, const Style& style, const PictureMaker&,
                   const DrawArea& area) {
  Painter painter(style, area, input.stale);
  if (!input.modelled) {
    draw_message(painter, "Run the lab to see its kernel under the roofs of the GPU.");
    return;
  }
  const ModelledTime& m = *input.modelled;
  const float stamp = painter.stamp(area.x, area.y, Stamp::modelled);
  const std::string head = m.flop > 0 ? fmt::format("{} GFLOP/s of {} on the {}",
                                                    short_number(m.us > 0 ? m.flop / m.us / 1000 : 0),
                                                    short_number(m.peak_tflops * 1000), m.gpu)
                                      : std::string("This kernel has no floating-point operations.");
  painter.text_fitted(area.x + stamp + painter.dp(8), area.y - painter.dp(2),
                      area.width - stamp - painter.dp(8), head, style.ink, Painter::Face::body);
  const float top = area.y + painter.line_height(Painter::Face::body) + painter.dp(8);
  draw_plot(painter, make_roofline(m, style), {area.x, top, area.width, area.y + area.height - top});
}

std::string roofline_csv(const ViewInput& input) {
  std::string out = "level,bytes,peak_gb_s,flop\n";
  if (!input.modelled) return out;
  for (const MemoryLevel& level : input.modelled->memory)
    out += fmt::format("{},{},{},{}\n", level.name, level.bytes, level.peak_gb_s, input.modelled->flop);
  return out;
}

}  // namespace

const Visualiser modelled_time_view = {"modelled-time", "Time", false, false, false, draw_time, time_csv};
const Visualiser roofline_view = {"roofline", "Roofline", false, false, false, draw_roofline, roofline_csv};

}  // namespace warpbook::view
