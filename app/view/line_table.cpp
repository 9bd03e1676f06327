// lines: where the instructions go, and which line's accesses are wide.
#include "view/line_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "view/colour.h"
#include "view/paint.h"
#include "view/visualisers.h"

namespace warpbook::view {

std::vector<LineRow> make_line_rows(const ViewInput& input) {
  std::vector<LineRow> rows;
  if (!input.source || !input.lines) return rows;
  std::vector<std::string_view> source = lines_of(*input.source);
  rows.resize(source.size());
  uint64_t total = 0;
  int first = int(source.size()), last = -1;
  for (size_t i = 0; i < source.size(); ++i) {
    rows[i].line = int(i) + 1;
    rows[i].text = std::string(source[i]);
  }
  for (const LineCounters& counted : *input.lines) {
    total += counted.warp_instructions;
    if (counted.line < 1 || size_t(counted.line) > rows.size()) continue;
    LineRow& row = rows[size_t(counted.line - 1)];
    row.warp_instructions += counted.warp_instructions;
    if (counted.warp_instructions) {
      row.active_share = double(counted.thread_instructions) / (32.0 * double(counted.warp_instructions));
    }
    if (counted.global.requests)
      row.sectors = double(counted.global.sectors) / double(counted.global.requests);
    if (counted.shared.requests)
      row.passes = double(counted.shared.bank_passes) / double(counted.shared.requests);
    first = std::min(first, counted.line - 1);
    last = std::max(last, counted.line - 1);
  }
  if (last < 0) return {};
  for (LineRow& row : rows) row.share = total ? double(row.warp_instructions) / double(total) : 0;
  int from = std::max(0, first - 2), to = std::min(int(rows.size()), last + 3);
  return {rows.begin() + from, rows.begin() + to};
}

namespace {

void draw(const ViewInput& input, ViewState& state, Selection& selection, const Style& style,
          const PictureMaker&, const DrawArea& area) {
  Painter painter(style, area, input.stale);
  std::vector<LineRow> rows = make_line_rows(input);
  if (rows.empty()) {
    draw_message(painter, "Run the lab to see counters beside each line.");
    return;
  }
  const auto mono = Painter::Face::mono;
  float height = painter.line_height(mono) + painter.dp(2), caption = painter.line_height();
  float columns[4] = {painter.dp(40), painter.dp(104), painter.dp(168), painter.dp(240)};
  float text_x = area.x + painter.dp(256);
  const char* heads[4] = {"line", "work", "lanes", "sectors"};
  for (int i = 0; i < 4; ++i) painter.text_right(area.x + columns[i], area.y, heads[i], style.muted);
  painter.text(text_x, area.y, "source", style.muted);
  float top = area.y + caption + painter.dp(4), room = area.y + area.height - top;
  int visible = std::max(1, int(room / height));
  int most = std::max(0, int(rows.size()) - visible);
  double& scroll = state.numbers["scroll"];
  if (painter.hovered(area.x, top, area.width, room) && most > 0) {
    scroll -= double(ImGui::GetIO().MouseWheel) * 3;
    ImGui::GetIO().MouseWheel = 0;
  }
  scroll = std::clamp(scroll, 0.0, double(most));
  for (int i = 0; i < visible; ++i) {
    size_t at = size_t(scroll) + size_t(i);
    if (at >= rows.size()) break;
    const LineRow& row = rows[at];
    float y = top + float(i) * height;
    if (row.share > 0)
      painter.box(area.x, y, area.width, height, faded(style.accent, float(0.05 + 0.3 * row.share)));
    if (selection.line == row.line)
      painter.outline(area.x, y, area.width, height, style.warning, painter.dp(1.5f));
    painter.text_right(area.x + columns[0], y, std::to_string(row.line), style.muted, mono);
    if (row.warp_instructions) {
      painter.text_right(area.x + columns[1], y, fmt::format("{:.0f} %", row.share * 100), style.ink, mono);
      painter.text_right(area.x + columns[2], y, fmt::format("{:.0f} %", row.active_share * 100), style.ink,
                         mono);
    }
    if (row.sectors > 0)
      painter.text_right(area.x + columns[3], y, short_number(row.sectors), style.ink, mono);
    painter.text_fitted(text_x, y, area.x + area.width - text_x, row.text, style.ink, mono);
    if (painter.hovered(area.x, y, area.width, height)) {
      selection.owner = &state;
      selection.line = row.line;
      if (row.warp_instructions) {
        std::string tip = fmt::format("{} warp instructions; {:.0f} % of lanes active",
                                      with_thousands(row.warp_instructions), row.active_share * 100);
        if (row.sectors > 0) tip += fmt::format("; {:.1f} sectors a request to global memory", row.sectors);
        if (row.passes > 0) tip += fmt::format("; {:.1f} bank passes a request to shared memory", row.passes);
        painter.tooltip(tip);
      }
    }
  }
}

std::string csv(const ViewInput& input) {
  std::string out = "line,warp_instructions,active_share,sectors_per_request,passes_per_request\n";
  for (const LineRow& row : make_line_rows(input)) {
    out += fmt::format("{},{},{},{},{}\n", row.line, row.warp_instructions, row.active_share, row.sectors,
                       row.passes);
  }
  return out;
}

}  // namespace

const Visualiser lines_view = {"lines", "Code", false, false, false, draw, csv};

}  // namespace warpbook::view
