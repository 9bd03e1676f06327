// Each worker once, and really at the same time.
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "base/parallel.h"
#include "catch.h"

using namespace warpbook;

TEST_CASE("each worker is called once") {
  for (const unsigned workers : {0u, 1u, 2u, 7u, 64u}) {
    std::vector<std::atomic<int>> calls(workers + 1);
    run_workers(workers, [&](unsigned worker) { calls[worker] += 1; });
    for (unsigned i = 0; i < workers; ++i) CHECK(calls[i] == 1);
    CHECK(calls[workers] == 0);
  }
}

TEST_CASE("workers run at the same time, also more of them than there are cores") {
  const unsigned workers = available_cores() + 2;
  std::atomic<unsigned> here{0};
  std::atomic<bool> all{false};
  run_workers(workers, [&](unsigned) {
    here += 1;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (here < workers && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
    if (here == workers) all = true;
  });
  CHECK(all);
}

TEST_CASE("workers may be asked for from several threads") {
  std::atomic<int> sum{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < 3; ++i) callers.emplace_back([&] { run_workers(4, [&](unsigned) { sum += 1; }); });
  for (std::thread& caller : callers) caller.join();
  CHECK(sum == 12);
}

TEST_CASE("this process has a core") { CHECK(available_cores() >= 1); }
