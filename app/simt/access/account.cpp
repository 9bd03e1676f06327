// What measure and check keep of an access that went well: its traffic, and at check the bytes that were never written,
// blocks that meet, write maps and the recording of one warp.
#include <algorithm>
#include <bit>
#include <cstring>

#include "simt/access/meetings.h"
#include "simt/access/worker.h"
#include "simt/exec/state.h"

namespace warpbook::simt {
namespace {

// --- traffic ---------------------------------------------------------------------------------------------------------

void add_requests(AccessCounters& to, uint32_t mask, uint32_t bytes) {
  const uint64_t lanes = uint64_t(std::popcount(mask));
  to.requests += 1;
  to.lanes += lanes;
  to.bytes += lanes * bytes;
}

/// True when the pattern is the memo's; else the memo holds the new pattern and its counts are to be filled in. Deltas
/// beyond 4 GiB never match.
bool same_pattern(PatternMemo& memo, const Access& access, uint32_t phase) {
  const int leader = std::countr_zero(access.mask);
  const Address base = access.address[leader];
  std::array<uint32_t, 32> delta;
  uint64_t far = 0;
  uint32_t different = 0;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const uint64_t active = 0 - uint64_t(access.mask >> lane & 1);
    const uint64_t d = (access.address[lane] - base) & active;
    const int64_t narrow = int32_t(uint32_t(d));
    far |= d ^ uint64_t(narrow);
    delta[lane] = uint32_t(d);
    different |= delta[lane] ^ memo.delta[lane];
  }
  if (different == 0 && far == 0 && memo.mask == access.mask && memo.phase == phase) return true;
  memo.delta = delta;
  memo.mask = far ? 0 : access.mask;
  memo.phase = phase;
  return false;
}

void count_global(SiteRecord& record, AccessCounters& part, const Access& access, Pattern pattern) {
  const Address lowest = access.address[std::countr_zero(access.mask)];
  uint32_t sectors = 0, ideal = 0;
  if (pattern == Pattern::same) {
    sectors = uint32_t((lowest + access.bytes - 1) / 32 - lowest / 32 + 1);
    ideal = (access.bytes + 31) / 32;
  } else if (pattern == Pattern::contiguous && std::has_single_bit(uint64_t(access.mask >> std::countr_zero(access.mask)) + 1)) {
    const uint32_t bytes = uint32_t(std::popcount(access.mask)) * access.bytes;
    sectors = uint32_t((lowest + bytes - 1) / 32 - lowest / 32 + 1);
    ideal = (bytes + 31) / 32;
  } else {
    PatternMemo& memo = record.memo;
    if (!same_pattern(memo, access, uint32_t(lowest % 32))) count_sectors(access, memo.sectors, memo.ideal_sectors);
    sectors = memo.sectors;
    ideal = memo.ideal_sectors;
  }
  part.sectors += sectors;
  part.ideal_sectors += ideal;
}

void count_shared(SiteRecord& record, AccessCounters& part, const Access& access, Pattern pattern) {
  uint32_t passes = 1, ideal = 1;
  const bool one_pass = access.bytes <= 4 && access.kind != AccessKind::atomic && pattern != Pattern::scattered;
  if (!one_pass) {
    // The banks turn with the address: a shift by whole words changes nothing. Bit 5 keeps apart from global phases.
    const uint32_t phase = 32 + uint32_t(access.address[std::countr_zero(access.mask)] % 4);
    PatternMemo& memo = record.memo;
    if (!same_pattern(memo, access, phase)) count_passes(access, memo.passes, memo.ideal_passes);
    passes = memo.passes;
    ideal = memo.ideal_passes;
  }
  part.bank_passes += passes;
  part.ideal_passes += ideal;
}

/// Local memory is interleaved by words, as the hardware does: the addresses that count are those behind.
void count_local(AccessCounters& part, const Access& access) {
  const uint32_t words = std::max(1u, access.bytes / 4);
  std::array<Address, 32> behind{};
  Access word = access;
  word.bytes = std::min(4u, access.bytes);
  word.address = behind.data();
  for (uint32_t w = 0; w < words; ++w) {
    for (uint32_t lane = 0; lane < 32; ++lane) {
      const uint64_t offset = access.address[lane] - local_window + w * 4;
      behind[lane] = offset / 4 * local_stride + lane * 4 + offset % 4;
    }
    uint32_t sectors = 0, ideal = 0;
    count_sectors(word, sectors, ideal);
    part.sectors += sectors;
    part.ideal_sectors += ideal;
  }
}

void add_part(AccessCounters& whole, AccessCounters& part, const AccessCounters& before) {
  whole.sectors += part.sectors - before.sectors;
  whole.ideal_sectors += part.ideal_sectors - before.ideal_sectors;
  whole.bank_passes += part.bank_passes - before.bank_passes;
  whole.ideal_passes += part.ideal_passes - before.ideal_passes;
}

void count_traffic(MemoryWorker& worker, const Access& access, const SiteCache* cache, Pattern pattern) {
  SiteRecord& record = worker.record(access.site);
  SiteTraffic& t = record.traffic;
  if (access.kind == AccessKind::write && t.kind == SiteTraffic::Kind::load) {
    // An asynchronous copy: one instruction that loads and stores.
    add_requests(t.copied_to_shared, access.mask, access.bytes);
    uint32_t passes = 0, ideal = 0;
    count_passes(access, passes, ideal);
    t.copied_to_shared.bank_passes += passes;
    t.copied_to_shared.ideal_passes += ideal;
    return;
  }
  t.kind = access.kind == AccessKind::read    ? SiteTraffic::Kind::load
           : access.kind == AccessKind::write ? SiteTraffic::Kind::store
                                              : SiteTraffic::Kind::atomic;
  add_requests(t.access, access.mask, access.bytes);
  uint32_t in_global = 0, in_shared = 0, in_local = 0;
  if (cache) {
    (cache->shared ? in_shared : in_global) = cache->read_only ? 0 : access.mask;
  } else {
    pattern = Pattern::scattered;
    for (uint32_t rest = access.mask; rest; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      const uint32_t bit = 1u << lane;
      const Address a = access.address[lane];
      if (a >= local_window) {
        in_local |= bit;
      } else if (a >= shared_window) {
        in_shared |= bit;
      } else if (a < parameter_window) {
        const Allocation* at = worker.launch->memory->window_of(a);
        if (at && !at->info.read_only) in_global |= bit;
      }
    }
  }
  Access part = access;
  if (in_global) {
    part.mask = in_global;
    const AccessCounters before = t.global;
    add_requests(t.global, in_global, access.bytes);
    count_global(record, t.global, part, pattern);
    add_part(t.access, t.global, before);
  }
  if (in_shared) {
    part.mask = in_shared;
    const AccessCounters before = t.shared;
    add_requests(t.shared, in_shared, access.bytes);
    count_shared(record, t.shared, part, pattern);
    add_part(t.access, t.shared, before);
  }
  if (in_local) {
    part.mask = in_local;
    const AccessCounters before = t.local;
    add_requests(t.local, in_local, access.bytes);
    count_local(t.local, part);
    add_part(t.access, t.local, before);
  }
}

// --- never written ---------------------------------------------------------------------------------------------------

/// The shadow of an access' bytes in one lane: 1 = written. Null when all are known to be.
struct Shadow {
  uint8_t* at = nullptr;
  uint32_t stride = 4;      ///< from one 4-byte word to the next; 4 = plain bytes
  bool shared_by_blocks = false;
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
      s.shared_by_blocks = true;
    }
  }
  return s;
}

bool all_marked(const Shadow& s, uint32_t bytes) {
  for (uint32_t i = 0; i < bytes; ++i) {
    uint8_t& mark = s.at[size_t(i / 4) * s.stride + i % 4];
    if (std::atomic_ref<uint8_t>(mark).load(std::memory_order_relaxed) == 0) return false;
  }
  return true;
}

void mark(const Shadow& s, uint32_t bytes) {
  for (uint32_t i = 0; i < bytes; ++i) {
    uint8_t& m = s.at[size_t(i / 4) * s.stride + i % 4];
    std::atomic_ref<uint8_t>(m).store(1, std::memory_order_relaxed);
  }
}

void note_uninitialised(Warp& warp, const Access& access, int lane);

void follow_written(Warp& warp, const Access& access, const SiteCache* cache, Pattern pattern) {
  if (cache && !cache->shared &&
      (cache->read_only || cache->allocation->all_written.load(std::memory_order_relaxed))) {
    return;
  }
  // Contiguous lanes have contiguous shadows: one sweep.
  const bool run = pattern == Pattern::contiguous &&
                   std::has_single_bit(uint64_t(access.mask >> std::countr_zero(access.mask)) + 1);
  if (cache && cache->shared && run) {
    const int leader = std::countr_zero(access.mask);
    uint8_t* at = warp.block->memory.shared_written.data() + cache->shared_offset + (access.address[leader] - cache->base);
    const size_t bytes = size_t(std::popcount(access.mask)) * access.bytes;
    if (access.kind == AccessKind::write) {
      std::memset(at, 1, bytes);
      return;
    }
    if (access.kind == AccessKind::read && std::memchr(at, 0, bytes) == nullptr) return;
  }
  for (uint32_t rest = access.mask; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const Shadow s = shadow_of(warp, lane, access.address[lane], cache);
    if (!s.at) continue;
    if (access.kind != AccessKind::write && !all_marked(s, access.bytes)) note_uninitialised(warp, access, lane);
    if (access.kind != AccessKind::read) mark(s, access.bytes);
  }
}

// --- who met whom, write maps, recording -----------------------------------------------------------------------------

Allocation* allocation_of(MemoryWorker& worker, Address address, const SiteCache* cache) {
  if (cache) return cache->allocation;
  return address < shared_window ? worker.launch->memory->window_of(address) : nullptr;
}

void look_for_meetings(Warp& warp, const Access& access, const SiteCache* cache, Pattern pattern) {
  if (cache && !cache->allocation) return;
  MemoryWorker& worker = *warp.worker->memory;
  const uint32_t block = uint32_t((warp.block->number + 1) % many_blocks);
  const uint32_t leader = access.mask & -access.mask;
  for (uint32_t rest = cache && pattern == Pattern::same ? leader : access.mask; rest; rest &= rest - 1) {
    const Address address = access.address[std::countr_zero(rest)];
    Allocation* a = allocation_of(worker, address, cache);
    if (!a || !a->tags) continue;
    Tag* tags = reinterpret_cast<Tag*>(a->tags.data());
    const uint64_t at = address - a->info.address;
    for (uint64_t g = at >> a->granule_shift; g <= (at + access.bytes - 1) >> a->granule_shift; ++g) {
      if (touch(tags[g], block, access.kind)) {
        worker.launch->met.store(true, std::memory_order_relaxed);
        return;
      }
    }
  }
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
      int64_t w = writer.load(std::memory_order_relaxed);   // number + 1; 0 = nobody
      while (w < thread + 1 && !writer.compare_exchange_weak(w, thread + 1, std::memory_order_relaxed)) {
      }
    }
  }
}

constexpr size_t most_recorded = 4096;

void record_access(Warp& warp, const Access& access) {
  MemoryWorker& worker = *warp.worker->memory;
  const uint32_t step = worker.recording_step++;
  if (worker.recorded.size() >= most_recorded) {
    worker.recording_complete = false;
    return;
  }
  RecordedAccess r;
  r.step = step;
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

}  // namespace

void account(Warp& warp, const Access& access, const SiteCache* cache, Pattern pattern, Level level) {
  MemoryWorker& worker = *warp.worker->memory;
  MemoryLaunch& launch = *worker.launch;
  count_traffic(worker, access, cache, pattern);
  if (level == Level::check) {
    follow_written(warp, access, cache, pattern);
    if (launch.look_for_meetings.load(std::memory_order_relaxed) && !launch.met.load(std::memory_order_relaxed)) {
      look_for_meetings(warp, access, cache, pattern);
    }
    if (launch.write_maps && access.kind != AccessKind::read) map_writes(warp, access, cache);
  }
  if (launch.record && launch.record->second == warp.index && launch.record->first == warp.block->index) {
    record_access(warp, access);
  }
}

void add_traffic(Counters& counters, const SiteTraffic& t) {
  switch (t.kind) {
    case SiteTraffic::Kind::none:
      break;
    case SiteTraffic::Kind::load:
      counters.global_load.add(t.global);
      counters.shared_load.add(t.shared);
      counters.local_load.add(t.local);
      counters.shared_store.add(t.copied_to_shared);
      break;
    case SiteTraffic::Kind::store:
      counters.global_store.add(t.global);
      counters.shared_store.add(t.shared);
      counters.local_store.add(t.local);
      break;
    case SiteTraffic::Kind::atomic:
      counters.global_atomic.add(t.global);
      counters.shared_atomic.add(t.shared);
      break;
  }
}

}  // namespace warpbook::simt
