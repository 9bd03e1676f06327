// The roofline's marks: where the kernel stands under each level of memory.
#include "catch.h"
#include "view/modelled_view.h"

using namespace warpbook;
using namespace warpbook::view;

TEST_CASE("levels that carry the same bytes share one mark under the roofs") {
  ModelledTime time;
  time.us = 10;
  time.flop = 1e6;
  time.peak_tflops = 10;
  const auto level = [](const char* name, double bytes, double peak) {
    MemoryLevel one;
    one.name = name;
    one.bytes = bytes;
    one.peak_gb_s = peak;
    return one;
  };
  time.memory = {level("L1", 4e5, 9000), level("L2", 4e5, 3000), level("DRAM", 1e5, 1000)};
  const Plot shared = make_roofline(time, Style{});
  REQUIRE(shared.marks.size() == 2);
  CHECK(shared.marks[0].words == "L1, L2");
  CHECK(shared.marks[0].x == Approx(2.5));
  CHECK(shared.marks[0].y == Approx(100));  // 1e6 operations in 10 us
  CHECK(shared.marks[1].words == "DRAM");

  time.memory[1].bytes = 1.5e5;
  CHECK(make_roofline(time, Style{}).marks.size() == 3);
}
