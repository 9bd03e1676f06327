// memory-chart: threads, L1, L2 and DRAM from top to bottom; between them arrows as wide as the bytes that
// went over the link, with what was found on the way and how much of the link's peak that is.
#include "view/memory_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "view/colour.h"
#include "view/modelled_view.h"
#include "view/paint.h"
#include "view/visualisers.h"

namespace warpbook::view {

std::string short_bytes(double bytes) {
  if (bytes >= 1e9) return fmt::format("{:.3g} GB", bytes / 1e9);
  if (bytes >= 1e6) return fmt::format("{:.3g} MB", bytes / 1e6);
  if (bytes >= 1e3) return fmt::format("{:.3g} kB", bytes / 1e3);
  return fmt::format("{:.0f} bytes", bytes);
}

MemoryChart make_memory_chart(const ModelledTime& m) {
  MemoryChart chart;
  double most = 0;
  for (const MemoryLevel& level : m.memory) most = std::max(most, level.bytes);
  std::string from = "Threads";
  for (const MemoryLevel& level : m.memory) {
    MemoryLink link;
    link.from = from;
    link.to = level.name;
    link.bytes = level.bytes;
    link.share = most > 0 ? level.bytes / most : 0;
    link.words = short_bytes(level.bytes);
    if (level.name != "DRAM" && level.bytes > 0)
      link.served = fmt::format("{:.0f} % found in {}", 100 * level.hit_rate, level.name);
    const double gb_s = m.us > 0 ? level.bytes / m.us / 1000 : 0;
    if (level.peak_gb_s > 0 && gb_s > 0)
      link.rate =
          fmt::format("{:.0f} % of {} GB/s", 100 * gb_s / level.peak_gb_s, short_number(level.peak_gb_s));
    chart.links.push_back(std::move(link));
    from = level.name;
  }
  if (m.shared_passes > 0)
    chart.shared = fmt::format("Shared memory: {} passes over the banks, {} without conflicts",
                               short_number(std::round(m.shared_passes)),
                               short_number(std::round(m.shared_ideal_passes)));
  return chart;
}

namespace {

void draw(const ViewInput& input, ViewState&, Selection&, const Style& style, const PictureMaker&,
          const DrawArea& area) {
  Painter painter(style, area, input.stale);
  if (!input.modelled) {
    draw_message(painter, "Run the lab to see what its memory accesses move.");
    return;
  }
  const MemoryChart chart = make_memory_chart(*input.modelled);
  const float stamp = painter.stamp(area.x, area.y, Stamp::modelled);
  painter.text_fitted(
      area.x + stamp + painter.dp(8), area.y - painter.dp(2), area.width - stamp - painter.dp(8),
      "Bytes on their way, caches of the " + input.modelled->gpu, style.ink, Painter::Face::body);
  float y = area.y + painter.line_height(Painter::Face::body) + painter.dp(10);
  float low = area.y + area.height;
  if (!chart.shared.empty()) {
    low -= painter.line_height() + painter.dp(4);
    painter.text_fitted(area.x, low + painter.dp(4), area.width, chart.shared, style.muted);
  }
  const size_t boxes = chart.links.size() + 1;
  const float box_height = painter.dp(30), box_width = std::min(painter.dp(180), area.width * 0.4f);
  const float links = std::max<float>(1, float(chart.links.size()));
  const float arrow =
      std::clamp((low - y - float(boxes) * box_height) / links, painter.dp(14), painter.dp(90));
  const float centre = area.x + box_width / 2;
  const auto box = [&](const std::string& words) {
    painter.box(area.x, y, box_width, box_height, style.panel, painter.dp(6));
    painter.outline(area.x, y, box_width, box_height, style.line, 1, painter.dp(6));
    painter.text_centred(centre, y + (box_height - painter.line_height()) / 2, words, style.ink);
    y += box_height;
  };
  box(chart.links.empty() ? "Threads" : chart.links.front().from);
  for (size_t i = 0; i < chart.links.size(); ++i) {
    const MemoryLink& link = chart.links[i];
    const float width = std::max(painter.dp(2), box_width * 0.7f * float(link.share));
    painter.box(centre - width / 2, y + painter.dp(3), width, arrow - painter.dp(6),
                link.bytes > 0 ? style.series[i % 8] : style.line, painter.dp(2));
    const float x = area.x + box_width + painter.dp(20), room = area.width - box_width - painter.dp(20);
    const bool two = arrow >= 2 * painter.line_height();
    float line = y + (arrow - painter.line_height() * (two ? 2 : 1)) / 2;
    painter.text_fitted(x, line, room, link.rate.empty() ? link.words : link.words + ",  " + link.rate,
                        style.ink);
    if (two) painter.text_fitted(x, line + painter.line_height(), room, link.served, style.muted);
    if (painter.hovered(area.x, y, area.width, arrow))
      painter.tooltip(fmt::format("{} to {}: {}{}{}", link.from, link.to, link.words,
                                  link.served.empty() ? "" : "\n" + link.served,
                                  link.rate.empty() ? "" : "\n" + link.rate));
    y += arrow;
    box(link.to);
  }
}

std::string csv(const ViewInput& input) {
  std::string out = "from,to,bytes,hit_rate,peak_gb_s\n";
  if (!input.modelled) return out;
  std::string from = "threads";
  for (const MemoryLevel& level : input.modelled->memory) {
    out += fmt::format("{},{},{},{},{}\n", from, level.name, level.bytes, level.hit_rate, level.peak_gb_s);
    from = level.name;
  }
  return out;
}

}  // namespace

const Visualiser memory_chart_view = {"memory-chart", "Memory", false, false, false, draw, csv};

}  // namespace warpbook::view
