// The plot widget's arithmetic: ticks, axes, values between points.
#include "view/plot.h"

#include "catch.h"
#include "view/cell_grid.h"

using namespace warpbook::view;

TEST_CASE("Ticks stand at 1, 2 and 5, on linear and logarithmic axes") {
  CHECK(axis_ticks({"", 0, 10, false, {}}, 5) == std::vector<double>{0, 2, 4, 6, 8, 10});
  CHECK(axis_ticks({"", 0, 1000, false, {}}, 4) == std::vector<double>{0, 500, 1000});
  CHECK(axis_ticks({"", 1, 1000, true, {}}, 4) == std::vector<double>{1, 10, 100, 1000});
  CHECK(axis_ticks({"", 1, 10, true, {}}, 9) == std::vector<double>{1, 2, 5, 10});
  CHECK(axis_ticks({"", 0, 0, false, {}}, 5).empty());
  CHECK(axis_ticks({"", 0, 64, false, {16, 32}}, 5) == std::vector<double>{16, 32});
}

TEST_CASE("A value's place on an axis and back") {
  const PlotAxis linear{"", 10, 30, false, {}}, decades{"", 1, 100, true, {}};
  CHECK(along(linear, 20) == Approx(0.5));
  CHECK(along(decades, 10) == Approx(0.5));
  CHECK(value_at(decades, 0.5) == Approx(10));
  CHECK(value_at(linear, along(linear, 17)) == Approx(17));
}

TEST_CASE("Steps keep their value, lines go between, nothing stands outside") {
  PlotSeries series;
  series.points = {{0, 1}, {10, 3}};
  CHECK(series_at(series, 5) == Approx(2.0));
  CHECK_FALSE(series_at(series, -1));
  CHECK_FALSE(series_at(series, 11));
  series.form = PlotSeries::Form::steps;
  CHECK(series_at(series, 9.9) == 1.0);
  CHECK(series_at(series, 10) == 3.0);
}

TEST_CASE("Cells fill an area in rows of equal length") {
  CHECK(columns_for(64, 400, 100) == 16);
  CHECK(columns_for(48, 100, 100) == 8);
  CHECK(columns_for(1, 10, 10) == 1);
}
