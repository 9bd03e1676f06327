// Block barriers: release, reductions, named barriers, and the ways to get them wrong.
#include "simt/exec_harness.h"

namespace warpbook::simt {
namespace {

using exec_tests::check_sums;
using exec_tests::only_error;
using exec_tests::Program;
using memory_tests::all_levels;
using memory_tests::iota;

constexpr Order all_orders[] = {Order::forward, Order::reverse, Order::shuffled};

TEST_CASE("a block sums its elements through shared memory") {
  for (const Level level : all_levels) {
    for (const Order order : all_orders) {
      Program p("exec_barrier");
      p.options.level = level;
      p.options.order = order;
      const Address out = p.buffer("out", std::vector<int>(8, 0));
      p.buffer("in", iota<int>(8 * 256));
      const RunReport report = p.launch("block_sum", 8, 256);
      REQUIRE(report.status == RunStatus::ok);
      const auto got = p.read<int>(out, 8);
      for (int b = 0; b < 8; ++b) CHECK(got[size_t(b)] == 256 * (256 * b) + 255 * 128);
      if (level != Level::run) {
        check_sums(report);
        CHECK(report.counters.barriers == 8 * 8 * 9);  // blocks, warps, barriers
      }
    }
  }
}

TEST_CASE("values go round a block between barriers") {
  for (const Order order : all_orders) {
    Program p("exec_barrier");
    p.options.order = order;
    const Address out = p.buffer("out", std::vector<int>(64, 0));
    const RunReport report = p.launch("rotate", 1, 64);
    REQUIRE(report.status == RunStatus::ok);
    const auto got = p.read<int>(out, 64);
    for (int t = 0; t < 64; ++t) CHECK(got[size_t(t)] == (t + 5 * 33) % 64);
  }
}

TEST_CASE("a barrier that counts, and one that asks for all and any") {
  Program p("exec_barrier");
  const Address out = p.buffer("out", std::vector<int>(80, 0));
  p.buffer("in", iota<int>(80));
  REQUIRE(p.launch("counted", 1, 80).status == RunStatus::ok);
  for (const int value : p.read<int>(out, 80)) CHECK(value == 69 * 4 + 2 + 1);

  Program none("exec_barrier");
  const Address zero = none.buffer("out", std::vector<int>(40, 9));
  none.buffer("in", std::vector<int>(40, -1));
  REQUIRE(none.launch("counted", 1, 40).status == RunStatus::ok);
  for (const int value : none.read<int>(zero, 40)) CHECK(value == 0);
}

TEST_CASE("two warps at two barriers are a divergent barrier") {
  for (const Order order : all_orders) {
    Program p("exec_barrier");
    p.options.order = order;
    p.buffer("out", std::vector<int>(64, 0));
    const RunReport report = p.launch("different_places", 1, 64);
    CHECK(report.status == RunStatus::fault);
    const Diagnosis d = only_error(report);
    CHECK(d.kind == "divergent-barrier");
    CHECK(d.access == "barrier");
    CHECK(d.line == 47);
    CHECK(d.threads == "0..31");
    CHECK(d.count == 32);
    REQUIRE(d.block);
    CHECK(*d.block == Dim3{0, 0, 0});
    REQUIRE(d.other);
    CHECK(d.other->line == 50);
    CHECK(d.other->access == "barrier");
    REQUIRE(d.other->thread);
    CHECK(*d.other->thread == Dim3{32, 0, 0});
  }
}

TEST_CASE("lanes of one warp at two barriers are a divergent barrier") {
  Program p("exec_barrier");
  p.buffer("out", std::vector<int>(32, 0));
  const Diagnosis d = only_error(p.launch("different_lanes", 1, 32));
  CHECK(d.kind == "divergent-barrier");
  CHECK(d.line == 65);
  REQUIRE(d.other);
  CHECK(d.other->line == 62);
}

TEST_CASE("threads that left before a barrier are told with the place where they left") {
  Program p("exec_barrier");
  p.buffer("out", std::vector<int>(64, 0));
  p.value("n", 40);
  const Diagnosis d = only_error(p.launch("left_before", 1, 64));
  CHECK(d.kind == "divergent-barrier");
  CHECK(d.line == 77);
  CHECK(d.threads == "0..39");
  REQUIRE(d.other);
  CHECK(d.other->access == "exit");
  REQUIRE(d.other->thread);
  CHECK(*d.other->thread == Dim3{40, 0, 0});

  Program all("exec_barrier");
  const Address out = all.buffer("out", std::vector<int>(64, 5));
  all.value("n", 64);
  REQUIRE(all.launch("left_before", 1, 64).status == RunStatus::ok);
  CHECK(all.read<int>(out, 64) == std::vector<int>(64, 0));
}

TEST_CASE("lanes may come to the same barrier one after the other") {
  for (const Order order : all_orders) {
    Program p("exec_barrier");
    p.options.order = order;
    const Address out = p.buffer("out", std::vector<int>(64, 0));
    const RunReport report = p.launch("same_place_apart", 1, 64);
    REQUIRE(report.status == RunStatus::ok);
    check_sums(report);
    const auto value = [](int rounds) {
      unsigned v = 0;
      for (int k = 0; k < rounds; ++k) v = v * 5 + unsigned(k);
      return int(v);
    };
    const auto got = p.read<int>(out, 64);
    for (int t = 0; t < 64; ++t) CHECK(got[size_t(t)] == value(t & 1 ? 3 : 40));
  }
}

TEST_CASE("named barriers: one side arrives and goes on, the other waits") {
  for (const Order order : all_orders) {
    Program p("exec_barrier");
    p.options.order = order;
    const Address out = p.buffer("out", std::vector<int>(64, 0));
    REQUIRE(p.launch("hand_over", 1, 128).status == RunStatus::ok);
    const auto got = p.read<int>(out, 64);
    for (int t = 64; t < 128; ++t) CHECK(got[size_t(t - 64)] == 10 * (127 - t));
  }
}

TEST_CASE("warps at barriers of different numbers are a deadlock") {
  Program p("exec_barrier");
  p.buffer("out", std::vector<int>(64, 0));
  const Diagnosis d = only_error(p.launch("crossed", 1, 64));
  CHECK(d.kind == "deadlock");
  CHECK(d.line == 111);
  CHECK(d.threads == "0..31");
  REQUIRE(d.other);
  CHECK(d.other->line == 113);
}

}  // namespace
}  // namespace warpbook::simt
