// Work over cores. oneTBB keeps its threads between launches; ThreadSanitizer cannot see into the packaged
// oneTBB, so that build takes plain threads.
#include "base/parallel.h"

#include <sched.h>

#include <algorithm>
#include <system_error>
#include <thread>
#include <vector>

#ifndef WARPBOOK_PLAIN_THREADS
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>
#endif

namespace warpbook {

unsigned available_cores() {
  // The affinity mask, since containers and taskset give a process fewer cores than the machine has.
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return unsigned(CPU_COUNT(&set));
  return std::max(1u, std::thread::hardware_concurrency());
}

#ifdef WARPBOOK_PLAIN_THREADS

void run_workers(unsigned workers, const std::function<void(unsigned)>& work) {
  std::vector<std::thread> threads;
  unsigned started = 1;
  for (; started < workers; ++started) {
    try {
      threads.emplace_back([&work, started] { work(started); });
    } catch (const std::system_error&) {
      break;  // the system gives no more threads: the rest runs here, one after the other
    }
  }
  if (workers > 0) work(0);
  for (unsigned rest = started; rest < workers; ++rest) work(rest);
  for (std::thread& thread : threads) thread.join();
}

#else

void run_workers(unsigned workers, const std::function<void(unsigned)>& work) {
  if (workers <= 1) {
    if (workers == 1) work(0);
    return;
  }
  // oneTBB never runs more threads than cores unless it is told to; whoever asks for eight workers on two
  // cores (a determinism test) shall get eight.
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism,
                                  std::max(workers, available_cores()));
  tbb::task_arena arena(int(workers), 1);
  arena.execute([&] {
    // Grain 1 and the simple partitioner: each call is a task of its own that a free thread can take.
    tbb::parallel_for(
        tbb::blocked_range<unsigned>(0, workers, 1),
        [&](const tbb::blocked_range<unsigned>& range) {
          for (unsigned worker = range.begin(); worker != range.end(); ++worker) work(worker);
        },
        tbb::simple_partitioner());
  });
}

#endif

}  // namespace warpbook
