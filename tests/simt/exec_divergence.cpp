// Lanes that part and meet again: results, counters, and that those that wait for each other get on.
#include "simt/exec_harness.h"

namespace warpbook::simt {
namespace {

using exec_tests::check_sums;
using exec_tests::line;
using exec_tests::Program;
using memory_tests::all_levels;

int collatz(unsigned n) {
  int count = 0;
  for (; n != 1; ++count) n = n % 2 ? 3 * n + 1 : n / 2;
  return count;
}

int four_ways(int i, int v) {
  switch (v & 3) {
    case 0: return v * 3 + 1;
    case 1: return v ^ 0x55;
    case 2: return v > 16 ? v - 7 : v + 100;
    default:
      // The kernel wraps here as PTX integers do; the reference wraps as unsigned, since an int may not.
      for (int k = 0; k < i; ++k) v = int(unsigned(v) + unsigned(k) * unsigned(v));
      return v;
  }
}

TEST_CASE("a loop with a branch inside gives every lane its own result") {
  for (const Level level : all_levels) {
    Program p("exec_divergence");
    p.options.level = level;
    const Address out = p.buffer("steps", std::vector<int>(200, -1));
    const RunReport report = p.launch("collatz", 2, 100);
    REQUIRE(report.status == RunStatus::ok);
    const auto got = p.read<int>(out, 200);
    for (unsigned i = 0; i < 200; ++i) CHECK(got[i] == collatz(i + 1));
    CHECK(report.counters.threads == 200);
    CHECK(report.counters.blocks == 2);
    CHECK(report.counters.warps == 8);
    if (level == Level::run) {
      CHECK(report.lines.empty());
    } else {
      check_sums(report);
      CHECK(report.counters.divergent_branches > 0);
      CHECK(report.counters.branches > report.counters.divergent_branches);
    }
  }
}

TEST_CASE("a switch over lanes takes every way") {
  Program p("exec_divergence");
  const Address out = p.buffer("out", std::vector<int>(64, 0));
  const auto in = memory_tests::iota<int>(64);
  p.buffer("in", in);
  const RunReport report = p.launch("four_ways", 1, 64);
  REQUIRE(report.status == RunStatus::ok);
  const auto got = p.read<int>(out, 64);
  for (int i = 0; i < 64; ++i) CHECK(got[size_t(i)] == four_ways(i, in[size_t(i)]));
  check_sums(report);
}

TEST_CASE("lanes that leave a loop early wait for the others behind it") {
  Program p("exec_divergence");
  p.options.per_warp = true;
  p.buffer("out", std::vector<int>(32, 0));
  std::vector<int> rounds(32);
  for (int i = 0; i < 32; ++i) rounds[size_t(i)] = 5 + 7 * i;
  p.buffer("rounds", rounds);
  const RunReport report = p.launch("meet_after_loop", 1, 32);
  REQUIRE(report.status == RunStatus::ok);
  // One store for the whole warp.
  CHECK(report.counters.global_store.requests == 1);
  CHECK(report.counters.global_store.lanes == 32);
  REQUIRE(line(report, 35));
  CHECK(line(report, 35)->global.requests == 1);
  REQUIRE(report.warps.size() == 1);
  CHECK(report.warps[0].warp_instructions == report.counters.warp_instructions);
  CHECK(report.warps[0].thread_instructions == report.counters.thread_instructions);
  check_sums(report);
}

TEST_CASE("a spin lock among the lanes of a warp ends") {
  for (const Level level : all_levels) {
    for (const Order order : {Order::forward, Order::reverse, Order::shuffled}) {
      Program p("exec_divergence");
      p.options.level = level;
      p.options.order = order;
      p.options.max_instructions = 10'000'000;
      p.buffer("lock", std::vector<int>{0});
      const Address counter = p.buffer("counter", std::vector<int>{0});
      const RunReport report = p.launch("spin_lock", 3, 96);
      REQUIRE(report.status == RunStatus::ok);
      CHECK(p.read<int>(counter, 1)[0] == 3 * 96);
      CHECK(report.fixed_order);
    }
  }
}

TEST_CASE("a lane can wait for a lane of its own warp") {
  Program p("exec_divergence");
  p.options.level = Level::measure;  // the reader has no fence, which level check does not let pass
  p.options.max_instructions = 1'000'000;
  p.buffer("flag", std::vector<int>{0});
  p.buffer("value", std::vector<int>{0});
  const Address out = p.buffer("out", std::vector<int>{0});
  const RunReport report = p.launch("produce_and_consume", 1, 32);
  REQUIRE(report.status == RunStatus::ok);
  CHECK(p.read<int>(out, 1)[0] == 42);
}

TEST_CASE("threads may leave the kernel one by one") {
  Program p("exec_divergence");
  const Address out = p.buffer("out", std::vector<int>(64, -1));
  p.value("n", 37);
  const RunReport report = p.launch("leave_early", 1, 64);
  REQUIRE(report.status == RunStatus::ok);
  const auto got = p.read<int>(out, 64);
  for (int i = 0; i < 64; ++i) CHECK(got[size_t(i)] == (i < 37 && i != 3 ? i : -1));
  check_sums(report);
}

}  // namespace
}  // namespace warpbook::simt
