// malloc and free in kernels: a window for each allocation, as buffers have, so that leaving one never
// reaches the next, and a freed one is known for what it was.
#include "simt/access/allocation.h"
#include "simt/access/launch.h"
#include "simt/access/worker.h"
#include "simt/exec/state.h"

namespace warpbook::simt {

Address heap_allocate(Warp& warp, uint64_t bytes) {
  MemoryLaunch& launch = *warp.worker->memory->launch;
  Memory::State& state = *launch.memory;
  // malloc of no bytes gives a null pointer (CUDA C++ Programming Guide, "Dynamic Global Memory Allocation").
  if (bytes == 0 || bytes > heap_bytes || state.heap_used > heap_bytes - bytes) return 0;
  const auto address = launch.instance->memory().allocate(bytes, "heap", 4);
  if (!address) return 0;
  Allocation& a = *state.window_of(*address);
  a.heap = true;
  state.heap_used += bytes;
  if (launch.level == Level::check) a.written = Pages::zeros(bytes);
  return *address;
}

Freed heap_free(Warp& warp, Address address, int line, int& before) {
  MemoryLaunch& launch = *warp.worker->memory->launch;
  Allocation* a = launch.memory->window_of(address);
  if (!a || !a->heap) return Freed::not_heap;
  if (a->info.address != address) return Freed::not_a_start;
  before = a->freed_line;
  if (!a->live) return Freed::twice;
  for (SiteCache& cache : warp.worker->memory->caches) {
    if (cache.allocation == a) cache = SiteCache{};
  }
  const uint64_t bytes = a->info.bytes;
  if (!launch.instance->memory().free(address)) return Freed::not_heap;
  launch.memory->heap_used -= bytes;
  a->freed_line = line;
  return Freed::done;
}

}  // namespace warpbook::simt
