// The traffic of an access that went well, at levels measure and check; what check adds is in follow.cpp.
#include <algorithm>
#include <bit>
#include <cstring>

#include "result/l1_path.h"
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

/// Makes the memo one of this access' pattern; what it knew of another is gone. False: it must not be kept,
/// as deltas beyond 4 GiB say too little.
bool take_pattern(PatternMemo& memo, const Access& access) {
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
  if (different != 0 || memo.mask != access.mask) {
    memo.delta = delta;
    memo.mask = access.mask;
    memo.known = 0;
    memo.shared_known = false;
  }
  if (far) memo.mask = 0;
  return far == 0;
}

RequestCost computed(const MemoryLaunch& launch, const Access& access) {
  RequestCost cost;
  count_sectors(access, cost.cost, cost.ideal);
  cost.lines = distinct_lines(access.address, access.mask, access.bytes);
  cost.l1_thousandths = l1_thousandths(uint32_t(std::popcount(access.mask)) * access.bytes,
                                       fullest_bank<16, 8>(access.address, access.mask, access.bytes),
                                       cost.lines, launch.l1_byte_cost);
  return cost;
}

void count_global(const MemoryLaunch& launch, SiteRecord& record, AccessCounters& part, const Access& access,
                  Pattern pattern) {
  const auto lane_count = uint32_t(std::popcount(access.mask));
  const int leader = std::countr_zero(access.mask);
  const Address first = access.address[leader];
  RequestCost cost;
  if (pattern == Pattern::same) {
    cost = cost_of_run(first, access.bytes, lane_count * access.bytes, launch.l1_byte_cost);
  } else if (pattern == Pattern::contiguous && std::has_single_bit(uint64_t(access.mask >> leader) + 1)) {
    cost = cost_of_run(first, lane_count * access.bytes, lane_count * access.bytes, launch.l1_byte_cost);
  } else {
    PatternMemo& memo = record.memo;
    const uint32_t place = uint32_t(first % 128 / 4);
    const bool keep = take_pattern(memo, access) && first % 4 == 0;
    if (!keep) {
      cost = computed(launch, access);
    } else {
      if (!(memo.known >> place & 1)) memo.global[place] = computed(launch, access);
      memo.known |= 1u << place;
      cost = memo.global[place];
    }
  }
  part.sectors += cost.cost;
  part.ideal_sectors += cost.ideal;
  part.lines += cost.lines;
  part.l1_thousandths += cost.l1_thousandths;
}

void count_shared(SiteRecord& record, AccessCounters& part, const Access& access, Pattern pattern) {
  RequestCost cost{1, 1, 0, 0};
  const bool one_pass =
      access.bytes <= 4 && access.kind != AccessKind::atomic && pattern != Pattern::scattered;
  if (!one_pass) {
    PatternMemo& memo = record.memo;
    // A shift by whole words changes nothing.
    const bool keep = take_pattern(memo, access) && access.address[std::countr_zero(access.mask)] % 4 == 0;
    if (!keep || !memo.shared_known) count_passes(access, cost.cost, cost.ideal);
    if (keep && !memo.shared_known) {
      memo.shared = cost;
      memo.shared_known = true;
    }
    if (keep) cost = memo.shared;
  }
  part.bank_passes += cost.cost;
  part.ideal_passes += cost.ideal;
}

/// Local memory is interleaved by words, as the hardware does: the addresses that count are those behind.
void count_local(const MemoryLaunch& launch, AccessCounters& part, const Access& access, Pattern pattern) {
  const uint32_t words = std::max(1u, access.bytes / 4);
  if (pattern == Pattern::same && access.bytes >= 4) {
    // The same words of all lanes: a row of 128 bytes each, of which 8 lanes share a sector.
    uint32_t sectors = 0;
    for (uint32_t mask = access.mask; mask; mask >>= 8) sectors += (mask & 0xff) != 0;
    part.sectors += uint64_t(words) * sectors;
    part.ideal_sectors += uint64_t(words) * ((uint32_t(std::popcount(access.mask)) * 4 + 31) / 32);
    part.lines += words;
    part.l1_thousandths +=
        uint64_t(words) * l1_thousandths(uint32_t(std::popcount(access.mask)) * 4, 1, 1, launch.l1_byte_cost);
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
    const RequestCost cost = computed(launch, word);
    part.sectors += cost.cost;
    part.ideal_sectors += cost.ideal;
    part.lines += cost.lines;
    part.l1_thousandths += cost.l1_thousandths;
  }
}

/// The most lanes of an atomic that go to one address, one after the other.
uint32_t lanes_at_one_address(const Access& access, Pattern pattern) {
  const auto lane_count = uint32_t(std::popcount(access.mask));
  if (pattern == Pattern::same) return lane_count;
  if (pattern == Pattern::contiguous) return 1;
  std::array<Address, 32> sorted;
  size_t count = 0;
  for (uint32_t rest = access.mask; rest; rest &= rest - 1)
    sorted[count++] = access.address[std::countr_zero(rest)];
  std::sort(sorted.begin(), sorted.begin() + ptrdiff_t(count));
  uint32_t most = 1, run = 1;
  for (size_t i = 1; i < count; ++i) {
    run = sorted[i] == sorted[i - 1] ? run + 1 : 1;
    most = std::max(most, run);
  }
  return most;
}

void add_part(AccessCounters& whole, AccessCounters& part, const AccessCounters& before) {
  whole.sectors += part.sectors - before.sectors;
  whole.ideal_sectors += part.ideal_sectors - before.ideal_sectors;
  whole.lines += part.lines - before.lines;
  whole.l1_thousandths += part.l1_thousandths - before.l1_thousandths;
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
  if (access.kind == AccessKind::atomic) {
    // A generic atomic that reaches both spaces at once is counted where more lanes go.
    const bool mostly_shared = std::popcount(in_shared) > std::popcount(in_global);
    const uint32_t turns = lanes_at_one_address(access, pattern);
    (mostly_shared ? t.shared : t.global).same_address += turns;
    t.access.same_address += turns;
  }
  if (in_global) {
    part.mask = in_global;
    const AccessCounters before = t.global;
    add_requests(t.global, in_global, access.bytes);
    count_global(*worker.launch, record, t.global, part, pattern);
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
    count_local(*worker.launch, t.local, part, pattern);
    add_part(t.access, t.local, before);
  }
}

}  // namespace

void account(Warp& warp, const Access& access, const SiteCache* cache, Pattern pattern, Level level) {
  MemoryWorker& worker = *warp.worker->memory;
  if (!warp.worker->launch->options.moments) count_traffic(worker, access, cache, pattern);
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
