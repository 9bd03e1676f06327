// The traffic of an access that went well, at levels measure and check; what check adds is in follow.cpp.
#include <algorithm>
#include <bit>
#include <cstring>

#include "simt/access/worker.h"
#include "simt/exec/state.h"

namespace warpbook::simt {
namespace {

void add_requests(AccessCounters& to, uint32_t mask, uint32_t bytes) {
  const uint64_t lanes = uint64_t(std::popcount(mask));
  to.requests += 1;
  to.lanes += lanes;
  to.bytes += lanes * bytes;
}

/// True when the pattern is the memo's; else the memo holds the new pattern and its counts are to be filled
/// in. Deltas beyond 4 GiB never match.
bool same_pattern(PatternMemo& memo, const Access& access, uint32_t phase) {
  const int leader = std::countr_zero(access.mask);
  const Address base = access.address[leader];
  std::array<uint32_t, 32> delta;
  uint64_t far = 0;
  uint32_t different = 0;
  if (access.mask == ~0u) {  // plain loops, which the compiler makes vectors of
    for (uint32_t lane = 0; lane < 32; ++lane) {
      far |= (access.address[lane] - base + 0x8000'0000u) >> 32;
      delta[lane] = uint32_t(access.address[lane]) - uint32_t(base);
    }
    for (uint32_t lane = 0; lane < 32; ++lane) different |= delta[lane] ^ memo.delta[lane];
  } else {
    for (uint32_t lane = 0; lane < 32; ++lane) {
      const uint64_t active = 0 - uint64_t(access.mask >> lane & 1);
      const uint64_t d = (access.address[lane] - base) & active;
      const int64_t narrow = int32_t(uint32_t(d));
      far |= d ^ uint64_t(narrow);
      delta[lane] = uint32_t(d);
      different |= delta[lane] ^ memo.delta[lane];
    }
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
  } else if (pattern == Pattern::contiguous &&
             std::has_single_bit(uint64_t(access.mask >> std::countr_zero(access.mask)) + 1)) {
    const uint32_t bytes = uint32_t(std::popcount(access.mask)) * access.bytes;
    sectors = uint32_t((lowest + bytes - 1) / 32 - lowest / 32 + 1);
    ideal = (bytes + 31) / 32;
  } else {
    PatternMemo& memo = record.memo;
    if (!same_pattern(memo, access, uint32_t(lowest % 32)))
      count_sectors(access, memo.sectors, memo.ideal_sectors);
    sectors = memo.sectors;
    ideal = memo.ideal_sectors;
  }
  part.sectors += sectors;
  part.ideal_sectors += ideal;
}

void count_shared(SiteRecord& record, AccessCounters& part, const Access& access, Pattern pattern) {
  uint32_t passes = 1, ideal = 1;
  const bool one_pass =
      access.bytes <= 4 && access.kind != AccessKind::atomic && pattern != Pattern::scattered;
  if (!one_pass) {
    // The banks turn with the address: a shift by whole words changes nothing. Bit 5 keeps apart from global
    // phases.
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
void count_local(AccessCounters& part, const Access& access, Pattern pattern) {
  const uint32_t words = std::max(1u, access.bytes / 4);
  if (pattern == Pattern::same && access.bytes >= 4) {
    // The same words of all lanes: a row of 128 bytes each, of which 8 lanes share a sector.
    uint32_t sectors = 0;
    for (uint32_t mask = access.mask; mask; mask >>= 8) sectors += (mask & 0xff) != 0;
    part.sectors += uint64_t(words) * sectors;
    part.ideal_sectors += uint64_t(words) * ((uint32_t(std::popcount(access.mask)) * 4 + 31) / 32);
    return;
  }
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
  } else if (pattern == Pattern::same && access.address[std::countr_zero(access.mask)] >= local_window) {
    in_local = access.mask;
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
    count_local(t.local, part, pattern);
    add_part(t.access, t.local, before);
  }
}

}  // namespace

void account(Warp& warp, const Access& access, const SiteCache* cache, Pattern pattern, Level level) {
  MemoryWorker& worker = *warp.worker->memory;
  count_traffic(worker, access, cache, pattern);
  if (worker.trace.running) trace_access(warp, *access.inst, access.mask, access.address);
  if (level == Level::check) follow(warp, access, cache, pattern);
  const auto& wanted = worker.launch->record;
  if (wanted && wanted->second == warp.index && wanted->first == warp.block->index)
    record_access(warp, access);
  if (warp.block->recorded) record_step_access(warp, access);
}

void add_traffic(Counters& counters, const SiteTraffic& t) {
  switch (t.kind) {
    case SiteTraffic::Kind::none: break;
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
