// Blocks: that they can wait for each other, that nothing depends on the number of workers, special
// registers.
#include <set>

#include "simt/exec_harness.h"

namespace warpbook::simt {
namespace {

using exec_tests::check_sums;
using exec_tests::only_error;
using exec_tests::Program;
using memory_tests::all_levels;
using memory_tests::iota;

constexpr Order all_orders[] = {Order::forward, Order::reverse, Order::shuffled};

TEST_CASE("blocks meet at a barrier of their own, many of them") {
  for (const Level level : all_levels) {
    for (const Order order : all_orders) {
      for (const uint32_t blocks : {4u, 300u}) {
        Program p("exec_blocks");
        p.options.level = level;
        p.options.order = order;
        p.options.threads = 3;
        p.options.max_instructions = 20'000'000;
        const Address out = p.buffer("out", std::vector<int>(blocks, -1));
        p.buffer("x", std::vector<int>(blocks, 0));
        p.buffer("arrived", std::vector<unsigned>(2, 0));
        const RunReport report = p.launch("grid_barrier", blocks, 64);
        REQUIRE(report.status == RunStatus::ok);
        CHECK(report.fixed_order);
        const auto got = p.read<int>(out, blocks);
        for (uint32_t b = 0; b < blocks; ++b) {
          CHECK(got[b] == int(10 * ((b + blocks - 1) % blocks) + 1 + b));
        }
      }
    }
  }
}

TEST_CASE("a sum of floats by atomics is the same whatever the number of workers") {
  std::set<std::vector<float>> results;
  for (const unsigned threads : {1u, 2u, 5u}) {
    Program p("exec_blocks");
    p.options.threads = threads;
    const Address sum = p.buffer("sum", std::vector<float>{0});
    const Address seen = p.buffer("seen", std::vector<float>(500, -1));
    const RunReport report = p.launch("float_sum", 500, 32);
    REQUIRE(report.status == RunStatus::ok);
    CHECK(report.fixed_order);
    auto all = p.read<float>(seen, 500);
    all.push_back(p.read<float>(sum, 1)[0]);
    results.insert(all);
  }
  CHECK(results.size() == 1);
}

TEST_CASE("blocks that meet in plain memory are run in a fixed order") {
  std::set<std::vector<int>> results;
  for (const unsigned threads : {1u, 2u, 5u}) {
    Program p("exec_blocks");
    p.options.threads = threads;
    const Address data = p.buffer("data", iota<int>(64 * 100));
    p.value("n", 64 * 100);
    const RunReport report = p.launch("neighbours", 100, 64);
    CHECK(report.status == RunStatus::fault);
    CHECK(only_error(report).kind == "race-global");
    CHECK(report.fixed_order);
    CHECK(report.counters.blocks == 100);
    CHECK(report.counters.global_store.requests == 200);
    check_sums(report);
    results.insert(p.read<int>(data, 64 * 100));
  }
  CHECK(results.size() == 1);
}

TEST_CASE("results, counters and diagnoses do not depend on the number of workers") {
  for (const Level level : all_levels) {
    std::set<std::string> seen;
    for (const unsigned threads : {1u, 2u, 5u}) {
      Program p("exec_divergence");
      p.options.level = level;
      p.options.threads = threads;
      p.options.per_warp = true;
      const Address out = p.buffer("steps", std::vector<int>(2900, -1));
      const RunReport report = p.launch("collatz", 30, 100);  // past the end of the buffer
      CHECK(report.status == RunStatus::fault);
      std::string text;
      for (const int v : p.read<int>(out, 2900)) text += std::to_string(v) + " ";
      for (const Diagnosis& d : report.diagnostics) {
        text += d.kind + d.message + std::to_string(d.line) + " " + std::to_string(d.count) + " ";
        if (d.block) text += std::to_string(d.block->x);
        if (d.thread) text += " " + std::to_string(d.thread->x);
      }
      for (const LineCounters& l : report.lines) {
        text += std::to_string(l.line) + ":" + std::to_string(l.warp_instructions) + "," +
                std::to_string(l.thread_instructions) + "," + std::to_string(l.divergent_branches) + "," +
                std::to_string(l.global.sectors) + " ";
      }
      for (const WarpCounters& w : report.warps) {
        text += std::to_string(w.block) + "." + std::to_string(w.warp) + "=" +
                std::to_string(w.thread_instructions) + " ";
      }
      text += std::to_string(report.warp_instructions) + (report.fixed_order ? " fixed" : " free");
      seen.insert(text);
      if (level != Level::run) check_sums(report);
    }
    CHECK(seen.size() == 1);
  }
}

TEST_CASE("a block can wait for the last one") {
  for (const Order order : all_orders) {
    Program p("exec_blocks");
    p.options.order = order;
    p.options.max_instructions = 20'000'000;
    p.options.level = Level::measure;  // a flag without any fence, which level check does not let pass
    p.buffer("flag", std::vector<int>{0});
    const Address out = p.buffer("out", std::vector<int>(200, -1));
    REQUIRE(p.launch("wait_for_last", 200, 32).status == RunStatus::ok);
    CHECK(p.read<int>(out, 200) == iota<int>(200));
  }
}

TEST_CASE("blocks that wait for one that was stopped by an error are no error of their own") {
  Program p("exec_blocks");
  p.options.max_instructions = 20'000'000;
  p.buffer("lock", std::vector<int>{0});
  p.buffer("data", std::vector<int>(10, 0));
  p.value("n", 10);
  const Diagnosis d = only_error(p.launch("stopped_with_lock", 10, 1));
  CHECK(d.kind == "oob-write");
  REQUIRE(d.block);
  CHECK(*d.block == Dim3{2, 0, 0});
}

TEST_CASE("every thread finds itself in the special registers") {
  Program p("exec_blocks");
  p.options.threads = 2;
  const Dim3 grid{3, 2, 2}, block{5, 3, 4};
  const Address out = p.buffer("out", std::vector<unsigned>(12 * 60 * 6, 0));
  REQUIRE(p.launch("specials", grid, block).status == RunStatus::ok);
  const auto got = p.read<unsigned>(out, 12 * 60 * 6);
  for (unsigned b = 0; b < 12; ++b) {
    for (unsigned t = 0; t < 60; ++t) {
      const unsigned* o = &got[(b * 60 + t) * 6];
      const unsigned lane = t % 32;
      CHECK(o[0] == t);
      CHECK(o[1] == lane);
      CHECK(o[2] == t / 32);
      CHECK(o[3] == (1u << lane) - 1);
      CHECK(o[4] == ~((1u << lane) - 1));
      CHECK(o[5] == b + 1000 * b);
    }
  }
}

}  // namespace
}  // namespace warpbook::simt
