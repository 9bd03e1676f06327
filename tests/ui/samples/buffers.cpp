// Samples of the views that show a buffer.
#include <cmath>

#include "ui/view_sample.h"

namespace warpbook::ui {

void fill_heat_map(SampleRun& run) {
  constexpr int columns = 64, rows = 40;
  std::vector<double> values;
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < columns; ++x)
      values.push_back(100 * std::exp(-((x - 24) * (x - 24) + (y - 18) * (y - 18)) / 200.0) + x / 4);
  }
  run.outputs = {sample_output("rounds", ElementType::i32, values)};
  run.options = {{"buffer", "\"rounds\""}, {"columns", "64"}, {"rows", "40"}};
  run.launch = {{2, 5, 1}, {32, 8, 1}};
  run.selection.element = {"rounds", 18 * columns + 24};
}

void fill_image(SampleRun& run) {
  constexpr int width = 80, height = 60;
  std::vector<double> values;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const bool inside = (x - 40) * (x - 40) + (y - 30) * (y - 30) < 400;
      const uint32_t red = inside ? 230 : uint32_t(x * 3), green = uint32_t(y * 4), blue = inside ? 60 : 160;
      values.push_back(double(red | green << 8 | blue << 16 | 0xff000000u));
    }
  }
  run.outputs = {sample_output("pixels", ElementType::u32, values)};
  run.options = {{"buffer", "\"pixels\""},  {"width", "80"},       {"height", "60"},
                 {"colours", "\"rgba\""},   {"zoom_x", "\"cx\""},  {"zoom_y", "\"cy\""},
                 {"zoom_span", "\"span\""}, {"zoom_unit", "0.001"}};
  run.values = {{"cx", 0}, {"cy", 0}, {"span", 1000}};
  run.mouse = {0.5f, 0.4f};
}

void fill_matrix_diff(SampleRun& run) {
  constexpr int n = 48;
  std::vector<double> expected = sample_noise(n * n, 7), got = expected;
  // A tile that was added once too often, and one lone element.
  for (int row = 16; row < 32; ++row) {
    for (int column = 32; column < 48; ++column) got[size_t(row * n + column)] += 0.1 * (row - 15);
  }
  got[5 * n + 9] = NAN;
  run.outputs = {sample_output("c", ElementType::f32, got),
                 sample_output("reference", ElementType::f32, expected)};
  run.options = {{"buffer", "\"c\""}, {"reference", "\"reference\""}, {"rows", "48"}, {"columns", "48"}};
}

}  // namespace warpbook::ui
