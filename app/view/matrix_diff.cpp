// matrix-diff: is the product right, and if not, where. All dark means equal.
#include "view/matrix_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "view/colour.h"
#include "view/image_axes.h"
#include "view/paint.h"
#include "view/visualisers.h"

namespace warpbook::view {

namespace {

std::vector<double> values_of(const Output& output) {
  std::vector<double> values(output.count);
  for (uint64_t i = 0; i < output.count; ++i)
    values[i] = element_as_double(output.type, output.data.data(), i);
  return values;
}

/// Products in double precision take a while above this many multiplications; lessons stay far below.
constexpr double most_products = 2e8;

}  // namespace

MatrixDiff make_matrix_diff(const ViewInput& input) {
  MatrixDiff diff;
  auto fail = [&](std::string words) {
    diff.problem = std::move(words);
    return diff;
  };
  if (!input.outputs || input.outputs->empty()) return fail("Run the lab to compare its result.");
  std::string name = option_text(input, "buffer", input.outputs->back().name);
  const Output* result = find_output(input, name);
  if (!result) return fail("The run has no buffer named " + name + ".");
  diff.rows = uint32_t(option_number(input, "rows", 0));
  diff.columns = uint32_t(option_number(input, "columns", 0));
  uint64_t count = uint64_t(diff.rows) * diff.columns;
  if (count == 0 || count > result->count) return fail(name + " does not have that many elements.");
  diff.got = values_of(*result);
  diff.got.resize(count);

  std::string reference = option_text(input, "reference");
  if (!reference.empty()) {
    const Output* other = find_output(input, reference);
    if (!other || other->count < count)
      return fail("The run has no buffer named " + reference + " of that size.");
    diff.expected = values_of(*other);
    diff.expected.resize(count);
  } else {
    const Output *a = find_output(input, option_text(input, "a")),
                 *b = find_output(input, option_text(input, "b"));
    uint64_t inner = uint64_t(option_number(input, "inner", diff.columns));
    if (!a || !b || a->count < diff.rows * inner || b->count < inner * diff.columns) {
      return fail("The factors of the product are not among the run's buffers.");
    }
    if (double(count) * double(inner) > most_products)
      return fail("These matrices are too large to compare here.");
    std::vector<double> left = values_of(*a), right = values_of(*b);
    diff.expected.assign(count, 0);
    for (uint64_t row = 0; row < diff.rows; ++row) {
      for (uint64_t k = 0; k < inner; ++k) {
        double factor = left[row * inner + k];
        for (uint64_t column = 0; column < diff.columns; ++column) {
          diff.expected[row * diff.columns + column] += factor * right[k * diff.columns + column];
        }
      }
    }
  }

  double scale = 0;
  for (double value : diff.expected) scale = std::max(scale, std::fabs(value));
  double tolerance = option_number(input, "tolerance", 1e-5) * std::max(scale, 1e-30);
  std::vector<double> off(count);
  for (uint64_t i = 0; i < count; ++i) {
    off[i] = std::fabs(diff.got[i] - diff.expected[i]);
    if (std::isnan(off[i])) {
      ++diff.differing;
      continue;
    }
    if (off[i] > tolerance) ++diff.differing;
    if (off[i] > diff.largest) {
      diff.largest = off[i];
      diff.worst = i;
    }
  }
  diff.pixels.width = diff.columns;
  diff.pixels.height = diff.rows;
  diff.pixels.rgba.resize(count);
  // Rounding alone stays dark: the scale begins at the tolerance.
  double top = std::max(diff.largest, tolerance * 10);
  for (uint64_t i = 0; i < count; ++i) {
    diff.pixels.rgba[i] =
        map_colour(ColourMap::cividis, off[i] <= tolerance ? 0 : 0.25 + 0.75 * off[i] / top);
    if (std::isnan(off[i])) diff.pixels.rgba[i] = map_colour(ColourMap::cividis, NAN);
  }
  return diff;
}

namespace {

void draw(const ViewInput& input, ViewState& state, Selection& selection, const Style& style,
          const PictureMaker& maker, const DrawArea& area) {
  Painter painter(style, area, input.stale);
  bool fresh = false;
  const MatrixDiff& diff = cached<MatrixDiff>(input, state, fresh, [&] { return make_matrix_diff(input); });
  if (!diff.problem.empty()) {
    draw_message(painter, diff.problem);
    return;
  }
  uint64_t count = uint64_t(diff.rows) * diff.columns;
  std::string words =
      diff.differing == 0
          ? fmt::format("All {} elements agree with the reference", with_thousands(count))
          : fmt::format("{} of {} elements differ; the largest difference is {} at row {}, column {}",
                        with_thousands(diff.differing), with_thousands(count), short_number(diff.largest),
                        diff.worst / diff.columns, diff.worst % diff.columns);
  float caption = painter.line_height() + painter.dp(6);
  painter.text_fitted(area.x, area.y, area.width, words, diff.differing ? style.error : style.ink);
  const PictureAxes axes = axes_of_cells(diff.columns, diff.rows);
  const float left = room_left(painter, axes), below = room_below(painter);
  Placed place = fit(diff.columns, diff.rows, area.x + left, area.y + caption, area.width - left,
                     area.height - caption - below);
  place.x = area.x + left;
  draw_pixels(painter, state, maker, 0, diff.pixels, fresh, place);
  painter.outline(place.x - 1, place.y - 1, place.width + 2, place.height + 2, style.line);
  draw_axes(painter, axes, place);
  const std::string buffer = option_text(input, "buffer", input.outputs->back().name);
  if (selection.owner != &state && selection.element && selection.element->first == buffer &&
      selection.element->second >= 0 && uint64_t(selection.element->second) < count)
    ring(painter, place, diff.columns, selection.element->second, style.warning);
  if (!painter.hovered(place.x, place.y, place.width, place.height)) {
    if (selection.owner == &state) selection = Selection{};
    return;
  }
  ImVec2 mouse = ImGui::GetIO().MousePos;
  if (auto cell = place.cell(mouse.x, mouse.y)) {
    size_t index = size_t(cell->second) * diff.columns + cell->first;
    selection.owner = &state;
    selection.element = {buffer, int64_t(index)};
    painter.tooltip(fmt::format("row {}, column {}: got {:g}, expected {:g}", cell->second, cell->first,
                                diff.got[index], diff.expected[index]));
  }
}

std::string csv(const ViewInput& input) {
  MatrixDiff diff = make_matrix_diff(input);
  std::string out = "row,column,got,expected\n";
  for (size_t i = 0; i < diff.pixels.rgba.size(); ++i) {
    out += fmt::format("{},{},{},{}\n", i / diff.columns, i % diff.columns, diff.got[i], diff.expected[i]);
  }
  return out;
}

}  // namespace

const Visualiser matrix_diff_view = {"matrix-diff", "Difference", false, false, false, draw, csv};

}  // namespace warpbook::view
