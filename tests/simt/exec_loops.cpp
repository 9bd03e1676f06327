// Loops that never end are found and named; loops that only take long run into the limit; all stop when
// asked.
#include <atomic>
#include <chrono>
#include <thread>

#include "simt/exec_harness.h"

namespace warpbook::simt {
namespace {

using exec_tests::only_error;
using exec_tests::Program;
using memory_tests::all_levels;

constexpr uint64_t plenty = 50'000'000;

TEST_CASE("an empty endless loop") {
  for (const Level level : all_levels) {
    Program p("exec_loops");
    p.options.level = level;
    p.options.max_instructions = plenty;
    p.buffer("out", std::vector<int>(32, 0));
    const RunReport report = p.launch("for_ever", 3, 64);
    CHECK(report.status == RunStatus::fault);
    const Diagnosis d = only_error(report);
    CHECK(d.kind == "infinite-loop");
    CHECK(d.access == "loop");
    CHECK(d.line == 5);
    CHECK(d.count == 3 * 64);
    CHECK(report.warp_instructions < 200'000);
  }
}

TEST_CASE("a flag that nobody sets") {
  for (const Level level : all_levels) {
    Program p("exec_loops");
    p.options.level = level;
    p.options.max_instructions = plenty;
    const Address flag = p.buffer("flag", std::vector<int>{0});
    p.buffer("out", std::vector<int>(128, 0));
    const RunReport report = p.launch("nobody_sets_the_flag", 4, 32);
    CHECK(report.status == RunStatus::fault);
    const Diagnosis d = only_error(report);
    CHECK(d.kind == "infinite-loop");
    CHECK(d.line == 10);
    CHECK(report.warp_instructions < 200'000);

    const int set = 1;
    REQUIRE(p.memory.write(flag, std::as_bytes(std::span(&set, 1))).ok());
    CHECK(p.launch("nobody_sets_the_flag", 4, 32).status == RunStatus::ok);
  }
}

TEST_CASE("a lock that is kept by a thread that has left") {
  Program p("exec_loops");
  p.options.max_instructions = plenty;
  p.buffer("lock", std::vector<int>{0});
  p.buffer("sum", std::vector<int>{0});
  p.buffer("a", std::vector<int>{4, 5, -1, 7, 8, 9});
  const RunReport report = p.launch("lock_kept", 6, 1);
  CHECK(report.status == RunStatus::fault);
  const Diagnosis d = only_error(report);
  CHECK(d.kind == "infinite-loop");
  CHECK(d.line == 16);
  REQUIRE(d.block);
  CHECK(*d.block == Dim3{3, 0, 0});
  CHECK(d.count == 3);
  CHECK(report.warp_instructions < 200'000);
}

TEST_CASE("a loop that writes the same value again and again") {
  Program p("exec_loops");
  p.options.max_instructions = plenty;
  p.buffer("out", std::vector<int>(32, 0));
  p.value("step", 0);
  const Diagnosis d = only_error(p.launch("same_write", 1, 32));
  CHECK(d.kind == "infinite-loop");
  p.arguments.pop_back();
  p.value("step", 1);
  CHECK(p.launch("same_write", 1, 32).status == RunStatus::ok);
}

TEST_CASE("an endless loop with loops inside and a period of several rounds") {
  Program p("exec_loops");
  p.options.max_instructions = plenty;
  p.buffer("out", std::vector<int>(1, 0));
  p.value("n", 100);
  const Diagnosis d = only_error(p.launch("long_period", 1, 1));
  CHECK(d.kind == "infinite-loop");
}

TEST_CASE("a loop that moves is long work and no fault") {
  for (const Level level : all_levels) {
    Program p("exec_loops");
    p.options.level = level;
    p.options.max_instructions = 300'000;
    p.buffer("out", std::vector<unsigned>(32, 0));
    p.value("n", 1ull << 60);
    const RunReport report = p.launch("long_work", 1, 32);
    CHECK(report.status == RunStatus::limit);
    CHECK(report.warp_instructions >= 290'000);
    CHECK(report.warp_instructions < 320'000);
    REQUIRE(report.diagnostics.size() == 1);
    CHECK(report.diagnostics[0].severity == Severity::note);
    CHECK(report.diagnostics[0].kind == "long-loop");
    CHECK(report.diagnostics[0].line == 49);
  }
}

TEST_CASE("a warp that waits for ever keeps the others at the barrier") {
  Program p("exec_loops");
  p.options.max_instructions = plenty;
  p.buffer("flag", std::vector<int>{0});
  p.buffer("out", std::vector<int>(96, 0));
  const Diagnosis d = only_error(p.launch("one_warp_spins", 1, 96));
  CHECK(d.kind == "infinite-loop");
  CHECK(d.line == 57);
  CHECK(d.threads == "0..31");
}

TEST_CASE("sleeping gives way to other warps") {
  for (const Order order : {Order::forward, Order::reverse, Order::shuffled}) {
    Program p("exec_loops");
    p.options.order = order;
    p.options.max_instructions = plenty;
    p.buffer("flag", std::vector<int>{0});
    const Address out = p.buffer("out", std::vector<int>(2, 0));
    REQUIRE(p.launch("sleeps", 1, 64).status == RunStatus::ok);
    CHECK(p.read<int>(out, 2)[1] == 999);
  }
  Program p("exec_loops");
  p.options.max_instructions = plenty;
  p.buffer("flag", std::vector<int>{0});
  const Diagnosis d = only_error(p.launch("sleeps_for_ever", 2, 64));
  CHECK(d.kind == "infinite-loop");
}

TEST_CASE("the stop flag and the time limit end a launch within a tenth of a second") {
  using Clock = std::chrono::steady_clock;
  for (const unsigned threads : {1u, 3u}) {
    Program p("exec_loops");
    p.options.threads = threads;
    p.buffer("out", std::vector<unsigned>(32, 0));
    p.value("n", 1ull << 60);
    std::atomic<bool> stop{false};
    p.options.stop = &stop;
    std::atomic<Clock::time_point> asked{};
    std::thread asker([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      asked = Clock::now();
      stop = true;
    });
    const RunReport report = p.launch("long_work", 8, 64);
    const auto late = Clock::now() - asked.load();
    asker.join();
    CHECK(report.status == RunStatus::cancelled);
    CHECK(late < std::chrono::milliseconds(100));

    p.options.stop = nullptr;
    p.options.max_time = std::chrono::milliseconds(50);
    const auto before = Clock::now();
    const RunReport timed = p.launch("long_work", 8, 64);
    CHECK(timed.status == RunStatus::limit);
    CHECK(Clock::now() - before < std::chrono::milliseconds(150));
    REQUIRE(timed.diagnostics.size() == 1);
    CHECK(timed.diagnostics[0].kind == "long-loop");
  }
}

}  // namespace
}  // namespace warpbook::simt
