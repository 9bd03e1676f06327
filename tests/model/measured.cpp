// Modelled beside measured times: ratios, and the steps that are off.
#include "model/measured.h"

#include "catch.h"

using namespace warpbook;

TEST_CASE("A model that is always twice too slow has every step right") {
  const auto rows = beside_measured({{"naive", 100, 200}, {"tiled", 25, 50}, {"wide", 20, 40}});
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].step_error == 0);
  CHECK_FALSE(rows[0].off);
  for (const MeasuredRow& row : rows) {
    CHECK(row.ratio == Approx(2));
    CHECK_FALSE(row.off);
  }
  CHECK(rows[1].step_error == Approx(1));
}

TEST_CASE("A step that is off by more than 1.35 is pointed out, in both directions") {
  // Measured: 100 to 50, a gain of 2.
  const auto modelled_after = [](double us) {
    return beside_measured({{"a", 100, 100}, {"b", 50, us}}).at(1);
  };
  CHECK_FALSE(modelled_after(50 / 1.34).off);
  CHECK(modelled_after(50 / 1.36).off);  // the model sees a gain of 2.72
  CHECK(modelled_after(50 / 1.36).step_error == Approx(1.36));
  CHECK_FALSE(modelled_after(50 * 1.34).off);
  CHECK(modelled_after(50 * 1.36).off);
  CHECK(measured_in_words(modelled_after(25)).find("more of a gain") != std::string::npos);
  CHECK(measured_in_words(modelled_after(100)).find("less of a gain") != std::string::npos);
  CHECK(measured_in_words(modelled_after(50)).find("gain") == std::string::npos);
}

TEST_CASE("Versions that were not measured do not count as a step") {
  const auto rows = beside_measured({{"a", 100, 100}, {"failed", 0, 10}, {"no trace", 30, 0}, {"b", 50, 50}});
  REQUIRE(rows.size() == 2);
  CHECK(rows[1].version.name == "b");
  CHECK_FALSE(rows[1].off);
}
