// Ticks at the edges of pictures: round, told apart, and of an axis that points up as well.
#include "view/image_axes.h"

#include "catch.h"

using namespace warpbook::view;

TEST_CASE("a tick has the decimals that its neighbours need") {
  CHECK(tick_words(20, 10) == "20");
  CHECK(tick_words(-0.5, 0.5) == "−0.5");
  CHECK(tick_words(-0.7436, 0.0001) == "−0.7436");
  CHECK(tick_words(-1e-17, 0.5) == "0.0");
  CHECK(tick_words(3, 0) == "3");
}

TEST_CASE("ticks of an axis that points up are those of the same axis turned round") {
  PlotAxis up;
  up.low = 1.2;
  up.high = -1.2;
  const std::vector<double> ticks = picture_ticks(up, 5);
  REQUIRE(ticks.size() == 5);
  CHECK(ticks.front() == Approx(-1));
  CHECK(ticks.back() == Approx(1));
  CHECK(along(up, 1.2) == Approx(0));
  CHECK(along(up, -0.6) == Approx(0.75));
}

TEST_CASE("cells are counted from the upper left corner") {
  const PictureAxes axes = axes_of_cells(64, 40);
  CHECK(along(axes.x, 0) == 0);
  CHECK(along(axes.y, 40) == 1);
  CHECK(picture_ticks(axes.x, 5) == std::vector<double>{0, 20, 40, 60});
}

TEST_CASE("few cells have no ticks between them") {
  const PictureAxes axes = axes_of_cells(2, 1);
  CHECK(picture_ticks(axes.x, 5, axes.whole) == std::vector<double>{0, 1, 2});
  CHECK(picture_ticks(axes.y, 5, axes.whole) == std::vector<double>{0, 1});
  CHECK(picture_ticks(axes.x, 5).size() > 3);
}
