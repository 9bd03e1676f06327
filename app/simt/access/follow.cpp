// What level check adds to an access that went well: bytes that nothing has written, blocks that meet, write
// maps; and the recording of one warp.
#include <algorithm>
#include <bit>
#include <cstring>

#include "simt/access/race.h"
#include "simt/access/worker.h"
#include "simt/exec/state.h"

namespace warpbook::simt {
namespace {

void note_uninitialised(Warp& warp, const Access& access, int lane) {
  const ObjectAt object = object_at(warp, access, access.address[lane]);
  Fault f;
  f.kind = FaultKind::uninitialised;
  f.access = access.kind;
  f.site = access.site;
  f.buffer = object.name;
  f.space = object.space;
  f.index = object.index;
  f.has_index = true;
  f.elements = object.elements;
  f.element_bytes = object.element_bytes;
  f.bytes = access.bytes;
  f.address = access.address[lane];
  note_fault(*warp.worker->memory, warp, lane, std::move(f));
}

/// The shadow of an access' bytes in one lane: 1 = written. Null when all are known to be.
struct Shadow {
  uint8_t* at = nullptr;
  uint32_t stride = 4;  ///< from one 4-byte word to the next; 4 = plain bytes
};

Shadow shadow_of(Warp& warp, int lane, Address address, const SiteCache* cache) {
  BlockMemory& block = warp.block->memory;
  Shadow s;
  if (address >= local_window) {
    const uint32_t offset = uint32_t(address - local_window);
    s.at = block.local_written.data() + size_t(warp.index) * 32 * block.local_bytes_per_thread +
           size_t(offset / 4) * local_stride + uint32_t(lane) * 4 + offset % 4;
    s.stride = local_stride;
  } else if (address >= shared_window) {
    const SharedArray* array = warp.worker->memory->launch->array_at(address);
    s.at = block.shared_written.data() + array->offset + (address - array->address);
  } else if (address < parameter_window) {
    Allocation* a = cache ? cache->allocation : warp.worker->memory->launch->memory->window_of(address);
    if (!a->all_written.load(std::memory_order_relaxed) && a->written) {
      s.at = a->written_bytes() + (address - a->info.address);
    }
  }
  return s;
}

// Marks are atomic, since atomics of two blocks may mark one word at once.

bool all_marked(const Shadow& s, uint32_t bytes) {
  if (bytes % 4 == 0) {  // aligned, as the access is
    for (uint32_t i = 0; i < bytes / 4; ++i) {
      auto& word = *reinterpret_cast<uint32_t*>(s.at + size_t(i) * s.stride);
      if (__atomic_load_n(&word, __ATOMIC_RELAXED) != 0x01010101u) return false;
    }
    return true;
  }
  for (uint32_t i = 0; i < bytes; ++i) {
    uint8_t& mark = s.at[size_t(i / 4) * s.stride + i % 4];
    if (std::atomic_ref<uint8_t>(mark).load(std::memory_order_relaxed) == 0) return false;
  }
  return true;
}

void mark(const Shadow& s, uint32_t bytes) {
  if (bytes % 4 == 0) {
    for (uint32_t i = 0; i < bytes / 4; ++i) {
      auto& word = *reinterpret_cast<uint32_t*>(s.at + size_t(i) * s.stride);
      __atomic_store_n(&word, 0x01010101u, __ATOMIC_RELAXED);
    }
    return;
  }
  for (uint32_t i = 0; i < bytes; ++i) {
    uint8_t& m = s.at[size_t(i / 4) * s.stride + i % 4];
    std::atomic_ref<uint8_t>(m).store(1, std::memory_order_relaxed);
  }
}

bool is_run(uint32_t mask) { return std::has_single_bit(uint64_t(mask >> std::countr_zero(mask)) + 1); }

/// Shared memory: the shadow of the cached array, as long as it belongs to one thread of the host.
bool follow_shared(Warp& warp, const Access& access, const SiteCache& cache, Pattern pattern) {
  uint8_t* base = warp.block->memory.shared_written.data() + cache.shared_offset;
  const int leader = std::countr_zero(access.mask);
  uint8_t* first = base + (access.address[leader] - cache.base);
  if (pattern == Pattern::contiguous && is_run(access.mask)) {
    const size_t bytes = size_t(std::popcount(access.mask)) * access.bytes;
    if (access.kind == AccessKind::write) {
      std::memset(first, 1, bytes);
      return true;
    }
    return access.kind == AccessKind::read && std::memchr(first, 0, bytes) == nullptr;
  }
  if (access.kind == AccessKind::atomic) return false;
  if (access.kind == AccessKind::read && pattern == Pattern::same) {
    return std::memchr(first, 0, access.bytes) == nullptr;
  }
  if (access.bytes != 4) return false;
  uint32_t missing = 0;
  for (uint32_t rest = access.mask; rest; rest &= rest - 1) {
    uint8_t* at = base + (access.address[std::countr_zero(rest)] - cache.base);
    constexpr uint32_t marked = 0x01010101u;
    uint32_t word = marked;
    if (access.kind == AccessKind::write) {
      std::memcpy(at, &word, sizeof word);
    } else {
      std::memcpy(&word, at, sizeof word);
      missing |= word ^ marked;
    }
  }
  return missing == 0;
}

/// Local memory, the same words of all lanes.
bool follow_local(Warp& warp, const Access& access) {
  const BlockMemory& block = warp.block->memory;
  const uint64_t offset = access.address[std::countr_zero(access.mask)] - local_window;
  auto* row = const_cast<uint8_t*>(block.local_written.data()) +
              size_t(warp.index) * 32 * block.local_bytes_per_thread + offset / 4 * local_stride;
  if (access.mask != ~0u || access.bytes % 4 != 0) return false;
  const size_t bytes = size_t(access.bytes / 4) * local_stride;
  if (access.kind == AccessKind::write) {
    std::memset(row, 1, bytes);
    return true;
  }
  return access.kind == AccessKind::read && std::memchr(row, 0, bytes) == nullptr;
}

void follow_written(Warp& warp, const Access& access, const SiteCache* cache, Pattern pattern) {
  if (cache && cache->shared) {
    if (follow_shared(warp, access, *cache, pattern)) return;
  } else if (cache) {
    if (cache->read_only || cache->allocation->all_written.load(std::memory_order_relaxed)) return;
  } else if (pattern == Pattern::same && access.address[std::countr_zero(access.mask)] >= local_window) {
    if (follow_local(warp, access)) return;
  }
  const bool at_use = warp.worker->launch->code->follows_values;  // local memory: reported when it is used
  for (uint32_t rest = access.mask; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const Shadow s = shadow_of(warp, lane, access.address[lane], cache);
    if (!s.at) continue;
    if (access.kind != AccessKind::write && !(at_use && access.address[lane] >= local_window) &&
        !all_marked(s, access.bytes)) {
      note_uninitialised(warp, access, lane);
    }
    if (access.kind != AccessKind::read) mark(s, access.bytes);
  }
}

Allocation* allocation_of(MemoryWorker& worker, Address address, const SiteCache* cache) {
  if (cache) return cache->allocation;
  return address < shared_window ? worker.launch->memory->window_of(address) : nullptr;
}

void map_writes(Warp& warp, const Access& access, const SiteCache* cache) {
  MemoryWorker& worker = *warp.worker->memory;
  const uint64_t block_threads = worker.launch->launch.block.count();
  for (uint32_t rest = access.mask; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    Allocation* a = allocation_of(worker, access.address[lane], cache);
    if (!a || !a->map_times) continue;
    const uint32_t element = a->info.element_bytes;
    const uint64_t at = access.address[lane] - a->info.address;
    const uint64_t last = std::min((at + access.bytes - 1) / element, a->info.bytes / element - 1);
    const int64_t thread = int64_t(warp.block->number * block_threads + thread_number(warp.index, lane));
    for (uint64_t e = at / element; e <= last; ++e) {
      // Sum and maximum do not depend on the order in which workers come.
      std::atomic_ref<uint8_t> times(reinterpret_cast<uint8_t*>(a->map_times.data())[e]);
      uint8_t t = times.load(std::memory_order_relaxed);
      while (t != 255 && !times.compare_exchange_weak(t, uint8_t(t + 1), std::memory_order_relaxed)) {
      }
      std::atomic_ref<int64_t> writer(reinterpret_cast<int64_t*>(a->map_writers.data())[e]);
      int64_t w = writer.load(std::memory_order_relaxed);  // number + 1; 0 = nobody
      while (w < thread + 1 && !writer.compare_exchange_weak(w, thread + 1, std::memory_order_relaxed)) {
      }
    }
  }
}

}  // namespace

void follow(Warp& warp, const Access& access, const SiteCache* cache, Pattern pattern) {
  MemoryLaunch& launch = *warp.worker->memory->launch;
  const bool own = !cache && pattern == Pattern::same &&
                   access.address[std::countr_zero(access.mask)] >= local_window;  // a lane's own memory
  // First, since it saves what is about to be written, and what was written before.
  if (!own && launch.looking) suspect(warp, access, cache, pattern);
  follow_written(warp, access, cache, pattern);
  if (own) return;
  if (!launch.looking && launch.race) judge(warp, access, cache);
  if (launch.write_maps && access.kind != AccessKind::read) map_writes(warp, access, cache);
}

void record_access(Warp& warp, const Access& access) {
  MemoryWorker& worker = *warp.worker->memory;
  // Warp instructions before this one: of the basic blocks behind, and of this block.
  const CodeFunction& function = *warp.current().frame->function;
  const uint32_t at = uint32_t(access.inst - function.instructions.data());
  const uint64_t step = warp.clock + at - function.blocks[function.block_of[at]].first;
  if (worker.recorded.size() >= most_recorded_accesses) {
    worker.recording_complete = false;
    return;
  }
  RecordedAccess r;
  r.step = uint32_t(step);
  r.access = access.kind == AccessKind::read ? "read" : access.kind == AccessKind::write ? "write" : "atomic";
  r.mask = access.mask;
  r.bytes = access.bytes;
  bool named = false;
  for (uint32_t rest = access.mask; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const ObjectAt object = object_at(warp, access, access.address[lane]);
    if (!named) {
      r.buffer = object.name;
      r.space = object.space;
      named = true;
    }
    r.index[size_t(lane)] = object.index;
  }
  worker.recorded.push_back({std::move(r), access.site});
}

void record_step_access(Warp& warp, const Access& access) {
  MemoryWorker& worker = *warp.worker->memory;
  if (worker.step_accesses.size() >= most_recorded_steps) return;
  StepAccess r;
  r.access = access.kind == AccessKind::read ? "read" : access.kind == AccessKind::write ? "write" : "atomic";
  r.mask = access.mask;
  r.bytes = access.bytes;
  for (uint32_t rest = access.mask; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const ObjectAt object = object_at(warp, access, access.address[lane]);
    if (rest == access.mask) {
      r.buffer = object.name;
      r.space = object.space;
    }
    r.index[size_t(lane)] = object.index;
  }
  warp.step_access = int32_t(worker.step_accesses.size());
  worker.step_accesses.push_back(std::move(r));
}

std::vector<StepAccess> take_step_accesses(Worker& worker) { return std::move(worker.memory->step_accesses); }

}  // namespace warpbook::simt
