// numbers: the counters that matter here, right-aligned, each with where it comes from and the run before
// beside it.
#include "view/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "view/paint.h"
#include "view/visualisers.h"

namespace warpbook::view {

namespace {

std::optional<double> number_of(const ViewInput& input, const Counters& counters, const std::string& name) {
  if (name == "idle_threads") {
    auto n = input.values.find("n");
    if (n == input.values.end()) return std::nullopt;
    return std::max(0.0, double(counters.threads) - double(n->second));
  }
  return counter_value(counters, name);
}

}  // namespace

std::vector<NumberRow> make_numbers(const ViewInput& input) {
  std::vector<NumberRow> rows;
  if (!input.counters) return rows;
  std::vector<std::string> names = option_list(input, "show");
  if (names.empty()) {
    names = {"threads",
             "blocks",
             "warps",
             "warp_instructions",
             "active_lane_share",
             "global_load_sectors_per_request",
             "global_store_sectors_per_request"};
  }
  for (const std::string& name : names) {
    auto value = number_of(input, *input.counters, name);
    if (!value) continue;
    NumberRow row;
    row.name = row.label = name;
    std::replace(row.label.begin(), row.label.end(), '_', ' ');
    if (name == "idle_threads") row.label = "Threads without an element";
    for (const NamedCounter& known : named_counters()) {
      if (known.name == name) {
        row.label = known.label;
        row.unit = known.unit;
      }
    }
    row.value = *value;
    if (input.previous_counters) row.previous = number_of(input, *input.previous_counters, name);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string change_in_words(const NumberRow& row) {
  if (!row.previous || *row.previous == row.value) return {};
  double before = *row.previous;
  if (before == 0) return "was 0";
  double ratio = row.value / before;
  if (std::fabs(ratio - 0.5) < 0.005) return "half of before";
  if (std::fabs(ratio - 2) < 0.02) return "twice as many as before";
  if (ratio == 0) return fmt::format("was {}", short_number(before));
  if (ratio > 1.1) return fmt::format("{}× before", short_number(ratio));
  if (ratio < 0.9) return fmt::format("1/{} of before", short_number(1 / ratio));
  return fmt::format("{}{:.1f} %", ratio > 1 ? "+" : "−", std::fabs(ratio - 1) * 100);
}

namespace {

void draw(const ViewInput& input, ViewState&, Selection&, const Style& style, const PictureMaker&,
          const DrawArea& area) {
  Painter painter(style, area, input.stale);
  std::vector<NumberRow> rows = make_numbers(input);
  if (rows.empty()) {
    draw_message(painter, "Run the lab to see its counters.");
    return;
  }
  const auto body = Painter::Face::body;
  float row_height = painter.line_height(body) + painter.dp(8);
  float stamp_width = painter.width_of("counted") + painter.dp(16);
  float value_right = area.x + std::min(area.width * 0.62f, painter.dp(420));
  const auto value_of = [](const NumberRow& row) {
    return short_number(row.value) + (row.unit.empty() ? "" : " " + row.unit);
  };
  const auto room_of = [&](const NumberRow& row) {
    return value_right - area.x - painter.width_of(value_of(row), body) - painter.dp(8);
  };
  // Smaller letters before a name is cut.
  const bool small = std::any_of(rows.begin(), rows.end(), [&](const NumberRow& row) {
    return painter.width_of(row.label, body) > room_of(row);
  });
  const auto face = small ? Painter::Face::caption : body;
  const float drop = (painter.line_height(body) - painter.line_height(face)) / 2;
  float y = area.y;
  for (const NumberRow& row : rows) {
    if (y + row_height > area.y + area.height + 1) break;
    const std::string value = value_of(row);
    painter.text_fitted(area.x, y + drop, room_of(row), row.label, style.ink, face);
    painter.text_right(value_right, y, value, style.ink, body);
    painter.stamp(value_right + painter.dp(10), y + painter.dp(2), Stamp::counted);
    float change_x = value_right + painter.dp(18) + stamp_width;
    painter.text_fitted(change_x, y + painter.dp(3), area.x + area.width - change_x, change_in_words(row),
                        style.muted);
    painter.line(area.x, y + row_height - painter.dp(5), area.x + area.width, y + row_height - painter.dp(5),
                 style.line);
    y += row_height;
  }
}

std::string csv(const ViewInput& input) {
  std::string out = "counter,value,before\n";
  for (const NumberRow& row : make_numbers(input)) {
    out +=
        fmt::format("{},{},{}\n", row.name, row.value, row.previous ? fmt::format("{}", *row.previous) : "");
  }
  return out;
}

}  // namespace

const Visualiser numbers_view = {"numbers", "Numbers", false, false, false, draw, csv};

}  // namespace warpbook::view
