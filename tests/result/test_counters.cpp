// Named counters: names are unique, rates are rates, and nothing divides by zero.
#include <cmath>
#include <set>

#include "catch.h"
#include "result/counters.h"

using namespace warpbook;

TEST_CASE("named counters take their values from the right fields") {
  Counters counters;
  counters.threads = 256, counters.blocks = 2, counters.warps = 8;
  counters.warp_instructions = 100, counters.thread_instructions = 1600;
  counters.branches = 10, counters.divergent_branches = 4, counters.barriers = 16;
  counters.global_load = {.requests = 4, .lanes = 128, .bytes = 512, .sectors = 32, .ideal_sectors = 16};
  counters.shared_store = {.requests = 2, .lanes = 64, .bytes = 256, .bank_passes = 10, .ideal_passes = 2};
  const auto value = [&](std::string_view name) { return counter_value(counters, name).value(); };
  CHECK(value("threads") == 256);
  CHECK(value("active_lane_share") == 50);
  CHECK(value("divergent_branches") == 4);
  CHECK(value("barriers") == 16);
  CHECK(value("global_load_requests") == 4);
  CHECK(value("global_load_lanes") == 128);
  CHECK(value("global_load_bytes") == 512);
  CHECK(value("global_load_sectors") == 32);
  CHECK(value("global_load_ideal_sectors") == 16);
  CHECK(value("global_load_sectors_per_request") == 8);
  CHECK(value("global_load_sector_efficiency") == 50);
  CHECK(value("shared_store_bank_passes") == 10);
  CHECK(value("shared_store_passes_per_request") == 5);
  CHECK(value("shared_store_bank_conflicts") == 8);
  CHECK(value("shared_load_bank_conflicts") == 0);
}

TEST_CASE("an unknown name has no value, nor have banks in global memory") {
  CHECK_FALSE(counter_value({}, "no_such_counter"));
  CHECK_FALSE(counter_value({}, "global_load_bank_passes"));
  CHECK_FALSE(counter_value({}, "shared_load_sectors"));
}

TEST_CASE("every named counter is unique, labelled and finite when nothing ran") {
  std::set<std::string_view> names;
  for (const NamedCounter& row : named_counters()) {
    CHECK(names.insert(row.name).second);
    CHECK_FALSE(row.label.empty());
    CHECK(std::isfinite(row.value({})));
  }
  CHECK(names.size() > 50);
}

TEST_CASE("adding traffic adds every field") {
  AccessCounters sum{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  sum.add({10, 20, 30, 40, 50, 60, 70, 80, 90, 100});
  CHECK(sum.requests == 11);
  CHECK(sum.lanes == 22);
  CHECK(sum.bytes == 33);
  CHECK(sum.sectors == 44);
  CHECK(sum.ideal_sectors == 55);
  CHECK(sum.lines == 66);
  CHECK(sum.l1_thousandths == 77);
  CHECK(sum.bank_passes == 88);
  CHECK(sum.ideal_passes == 99);
  CHECK(sum.same_address == 110);
}
