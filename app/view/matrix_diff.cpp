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

double tolerance_option(const ViewInput& input) { return option_number(input, "tolerance", 1e-5); }

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
  double tolerance = tolerance_option(input) * std::max(scale, 1e-30);
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

/// The difference coloured where the GPU left the matrices.
bool difference_from_gpu(const ViewInput& input, ViewState& state, const PictureMaker& maker, uint32_t rows,
                         uint32_t columns) {
  if (!input.on_gpu || rows == 0 || columns == 0) return false;
  Colouring colouring;
  colouring.kind = Colouring::Kind::difference;
  colouring.buffer = option_text(input, "buffer");
  colouring.ramp = ramp_of(ColourMap::cividis);
  colouring.reference = option_text(input, "reference");
  if (colouring.reference.empty()) {
    colouring.left = option_text(input, "a");
    colouring.right = option_text(input, "b");
    colouring.inner = uint64_t(option_number(input, "inner", columns));
    if (colouring.left.empty() || colouring.right.empty()) return false;
    if (double(rows) * columns * double(colouring.inner) > most_products) return false;
  }
  colouring.tolerance = tolerance_option(input);
  return take_from_gpu(input, state, maker, colouring, columns, rows);
}

std::string verdict(const ColouredFacts& facts, uint64_t count, uint32_t columns) {
  if (facts.differing == 0)
    return fmt::format("All {} elements agree with the reference", with_thousands(count));
  return fmt::format("{} of {} elements differ; the largest difference is {} at row {}, column {}",
                     with_thousands(facts.differing), with_thousands(count), short_number(facts.largest),
                     facts.worst / columns, facts.worst % columns);
}

void draw(const ViewInput& input, ViewState& state, Selection& selection, const Style& style,
          const PictureMaker& maker, const DrawArea& area) {
  Painter painter(style, area, input.stale);
  bool fresh = false;
  const MatrixDiff& diff = cached<MatrixDiff>(input, state, fresh, [&] { return make_matrix_diff(input); });
  uint32_t rows = uint32_t(option_number(input, "rows", 0)),
           columns = uint32_t(option_number(input, "columns", 0));
  const bool from_gpu = difference_from_gpu(input, state, maker, rows, columns);
  if (!from_gpu) {
    if (!diff.problem.empty()) {
      draw_message(painter, diff.problem);
      return;
    }
    rows = diff.rows, columns = diff.columns;
  }
  // What is newer than the numbers has a picture and no numbers yet.
  const bool has_numbers = !from_gpu || (!input.on_gpu->newer && diff.problem.empty());
  const uint64_t count = uint64_t(rows) * columns;
  const ColouredFacts facts =
      has_numbers ? ColouredFacts{0, 0, 0, diff.largest, diff.worst, diff.differing} : state.facts;
  float caption = painter.line_height() + painter.dp(6);
  painter.text_fitted(area.x, area.y, area.width, verdict(facts, count, columns),
                      facts.differing ? style.error : style.ink);
  const PictureAxes axes = axes_of_cells(columns, rows);
  const float left = room_left(painter, axes), below = room_below(painter);
  Placed place =
      fit(columns, rows, area.x + left, area.y + caption, area.width - left, area.height - caption - below);
  place.x = area.x + left;
  if (from_gpu)
    draw_texture(painter, state.pictures[0], place);
  else
    draw_pixels(painter, state, maker, 0, diff.pixels, fresh, place);
  painter.outline(place.x - 1, place.y - 1, place.width + 2, place.height + 2, style.line);
  draw_axes(painter, axes, place);
  const std::string buffer =
      option_text(input, "buffer", has_numbers ? input.outputs->back().name : std::string());
  if (selection.owner != &state && selection.element && selection.element->first == buffer &&
      selection.element->second >= 0 && uint64_t(selection.element->second) < count)
    ring(painter, place, columns, selection.element->second, style.warning);
  if (!painter.hovered(place.x, place.y, place.width, place.height)) {
    if (selection.owner == &state) selection = Selection{};
    return;
  }
  ImVec2 mouse = ImGui::GetIO().MousePos;
  if (auto cell = place.cell(mouse.x, mouse.y)) {
    size_t index = size_t(cell->second) * columns + cell->first;
    selection.owner = &state;
    selection.element = {buffer, int64_t(index)};
    std::string tip = fmt::format("row {}, column {}", cell->second, cell->first);
    if (has_numbers && index < diff.got.size())
      tip += fmt::format(": got {:g}, expected {:g}", diff.got[index], diff.expected[index]);
    painter.tooltip(tip);
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
