// The plots of how the emulator's cost grows: what should be proportional is drawn from zero on both axes.
#include "ui/growth_plot.h"

#include "catch.h"

using namespace warpbook;

TEST_CASE("growth is plotted per table, from zero where it should be proportional") {
  GrowthTables growth;
  growth.work = {{"128", 128, 200'000'000, 40, 0}, {"64", 64, 100'000'000, 20, 0}};
  growth.registers = {{"1", 1, 1'000'000, 0.2, 0}, {"256", 256, 1'000'000, 0.3, 0}};
  growth.shadow = {{"1", 1024, 0, 1, 0}, {"4", 4096, 0, 1, 3072}, {"16", 16384, 0, 1, 12288}};
  const std::vector<view::Plot> plots = ui::make_growth_plots(growth, view::Style{});
  REQUIRE(plots.size() == 3);

  const auto& work = plots[0].series.at(0).points;
  CHECK(work == std::vector<std::pair<double, double>>{{100, 20}, {200, 40}});  // in order of the work
  CHECK(plots[0].x.low == 0);
  CHECK(plots[0].y.low == 0);
  CHECK(plots[0].x.high == 200);

  CHECK(plots[1].x.logarithmic);
  CHECK(plots[1].series.at(0).points.back().second == Approx(0.3));  // ns a lane instruction

  const auto& memory = plots[2].series.at(0).points;  // what was added, summed up
  REQUIRE(memory.size() == 3);
  CHECK(memory[1] == std::pair<double, double>{4, 3});
  CHECK(memory[2] == std::pair<double, double>{16, 15});
}
