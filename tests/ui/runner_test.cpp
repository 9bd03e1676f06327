// The worker behind the frame: newest wins, stale stops, closing ends a run.
#include "ui/runner.h"

#include <atomic>
#include <chrono>
#include <thread>

#include "catch.h"

using namespace warpbook;
using namespace warpbook::ui;
using namespace std::chrono_literals;

namespace {

// Runs that last until they are told to stop or a gate opens.
struct Stage {
  std::atomic<bool> gate{false};
  std::atomic<int> started{0}, stopped{0};
  Workers workers() {
    return {[this](const LabJob& job, RunProgress& progress, RunModels&) -> Result<RunResult> {
              ++started;
              while (!gate && !progress.stop) std::this_thread::sleep_for(1ms);
              if (progress.stop) {
                ++stopped;
                return Error{"cancelled", Trouble::cancelled, {}, {}};
              }
              RunResult result;
              result.kernel = job.variant;
              return result;
            },
            [this](const CheckJob&, CheckProgress& progress) -> Result<CheckReport> {
              ++started;
              progress.total = 4;
              while (!gate && !progress.run.stop) std::this_thread::sleep_for(1ms);
              if (progress.run.stop) return Error{"cancelled", Trouble::cancelled, {}, {}};
              CheckReport report;
              report.passed = true;
              return report;
            },
            [](const LabJob& lab) {
              RunModels models;
              models.gpu = lab.gpu;
              return models;
            },
            [this](const SweepJob& job, CheckProgress& progress) -> Result<SweepResult> {
              ++started;
              SweepResult swept;
              for (const int64_t value : job.values) {
                while (!gate && !progress.run.stop && value != job.values.front())
                  std::this_thread::sleep_for(1ms);
                swept.complete = !progress.run.stop;
                if (progress.run.stop) break;
                SweepPoint point;
                point.setting = {{job.control, value}};
                swept.points.push_back(point);
                ++progress.done;
              }
              return swept;
            }};
  }
};

LabJob job(const std::string& variant) {
  LabJob lab;
  lab.key = "lesson/lab";
  lab.variant = variant;
  return lab;
}

template <class Condition>
bool soon(Condition&& condition) {
  for (int i = 0; i < 3000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(1ms);
  }
  return false;
}

}  // namespace

TEST_CASE("of many requests that wait only the newest runs") {
  Stage stage;
  std::atomic<int> woken{0};
  Runner runner(stage.workers(), [&] { ++woken; });
  runner.submit(job("first"));
  REQUIRE(soon([&] { return stage.started == 1; }));
  for (int i = 0; i < 20; ++i) runner.submit(job("middle"));
  const uint64_t last = runner.submit(job("last"));
  stage.gate = true;
  REQUIRE(soon([&] { return !runner.status().busy; }));
  const std::vector<Finished> done = runner.take();
  REQUIRE(done.size() == 2);
  CHECK(done[0].run->value().kernel == "first");
  CHECK(done[1].run->value().kernel == "last");
  CHECK(done[1].ticket == last);
  CHECK(woken == 2);
}

TEST_CASE("a slow stale run is stopped, not waited for") {
  Stage stage;
  Runner runner(stage.workers(), [] {});
  runner.submit(job("slow"));
  REQUIRE(soon([&] { return stage.started == 1; }));
  runner.submit(job("newer"));
  REQUIRE(soon([&] {
    runner.tick();
    return stage.started == 2;
  }));
  CHECK(stage.stopped == 1);
}

TEST_CASE("cancel stops what runs and drops what waits") {
  Stage stage;
  Runner runner(stage.workers(), [] {});
  runner.submit(job("a"));
  REQUIRE(soon([&] { return stage.started == 1; }));
  runner.submit(job("b"));
  runner.cancel();
  REQUIRE(soon([&] { return !runner.status().busy; }));
  CHECK(stage.started == 1);
  const std::vector<Finished> done = runner.take();
  REQUIRE(done.size() == 1);
  CHECK_FALSE(done[0].run->ok());
}

TEST_CASE("a check is not stopped by controls that move") {
  Stage stage;
  Runner runner(stage.workers(), [] {});
  CheckJob check;
  check.key = "lesson/exercise";
  runner.submit(check);
  REQUIRE(soon([&] { return runner.status().running_check && runner.status().total == 4; }));
  runner.submit(job("slider"));
  std::this_thread::sleep_for(250ms);
  runner.tick();
  CHECK(runner.status().running_check);
  stage.gate = true;
  REQUIRE(soon([&] { return !runner.status().busy; }));
  CHECK(runner.take().size() == 2);
}

TEST_CASE("a request may wait for newer ones before it runs") {
  Stage stage;
  stage.gate = true;
  Runner runner(stage.workers(), [] {});
  runner.submit(job("early"), 0.2);
  std::this_thread::sleep_for(20ms);
  CHECK(stage.started == 0);
  runner.submit(job("late"), 0.05);
  REQUIRE(soon([&] { return !runner.status().busy; }));
  const std::vector<Finished> done = runner.take();
  REQUIRE(done.size() == 1);
  CHECK(done[0].run->value().kernel == "late");
}

TEST_CASE("the window closed in the middle of a run stops it at once") {
  Stage stage;
  const auto begin = std::chrono::steady_clock::now();
  {
    Runner runner(stage.workers(), [] {});
    runner.submit(job("endless"));
    REQUIRE(soon([&] { return stage.started == 1; }));
  }
  CHECK(stage.stopped == 1);
  CHECK(std::chrono::steady_clock::now() - begin < 3s);
}

TEST_CASE("runner: a sweep that is cancelled hands over what it had done") {
  Stage stage;
  Runner runner(stage.workers(), [] {});
  runner.submit(SweepJob{job("sweep"), "n", {1, 2, 4}});
  REQUIRE(soon([&] { return runner.status().running_sweep && runner.status().done == 1; }));
  runner.cancel();
  std::vector<Finished> finished;
  REQUIRE(soon([&] { return !(finished = runner.take()).empty(); }));
  REQUIRE(finished[0].sweep);
  REQUIRE(finished[0].sweep->ok());
  CHECK_FALSE((*finished[0].sweep)->complete);
  CHECK((*finished[0].sweep)->points.size() == 1);
}

TEST_CASE("runner: a lab run that waits does not stop a sweep, and comes after it") {
  Stage stage;
  Runner runner(stage.workers(), [] {});
  runner.submit(SweepJob{job("sweep"), "n", {1, 2}});
  REQUIRE(soon([&] { return runner.status().running_sweep; }));
  runner.submit(job("run"));
  std::this_thread::sleep_for(300ms);  // longer than a stale lab run is left to run
  runner.tick();
  CHECK(runner.status().running_sweep);
  stage.gate = true;
  std::vector<Finished> finished;
  REQUIRE(soon([&] {
    for (Finished& one : runner.take()) finished.push_back(std::move(one));
    return finished.size() == 2;
  }));
  REQUIRE(finished[0].sweep);
  CHECK((*finished[0].sweep)->complete);
  CHECK(finished[1].run);
}
