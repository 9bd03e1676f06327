#include "simt/access/race_history.h"

#include <algorithm>

#include "simt/exec/state.h"

namespace warpbook::simt {

namespace {

/// Further readers of a granule are not kept: a write that is ordered after so many is ordered after all, but
/// for odd cases.
constexpr size_t most_members = 32;

}  // namespace

void add_member(History& history, uint32_t& number, uint32_t record, int lane) {
  if (number == 0 || number == number_of(record, lane)) {
    number = number_of(record, lane);
    return;
  }
  const AccessRecord& own = history.records[record];
  // What a thread does later stands for what it did before, unless that was a weaker kind of access.
  const auto stands_for = [&](uint32_t other) {
    const AccessRecord& before = history.records[other];
    return before.block == own.block && before.warp == own.warp &&
           (own.ordering.strength == Strength::plain || own.ordering.strength == before.ordering.strength);
  };
  if (!(number & group_bit)) {
    const uint32_t before = number >> 5;
    if (int(number & 31) == lane && stands_for(before)) {
      number = number_of(record, lane);
      return;
    }
    history.groups.push_back({{before, 1u << (number & 31)}});
    number = group_bit | uint32_t(history.groups.size() - 1);
  }
  auto& group = history.groups[number & ~group_bit];
  History::Member* mine = nullptr;
  for (size_t i = 0; i < group.size();) {
    if (group[i].record == record) {
      mine = &group[i];
    } else if ((group[i].lanes >> lane & 1) && stands_for(group[i].record)) {
      group[i].lanes &= ~(1u << lane);
      if (group[i].lanes == 0) {
        group[i] = group.back();
        group.pop_back();
        mine = nullptr;
        i = 0;
        continue;
      }
    }
    ++i;
  }
  if (mine) {
    mine->lanes |= 1u << lane;
  } else if (group.size() < most_members) {
    group.push_back({record, 1u << lane});
  }
}

void remove_plain(History& history, uint32_t& number, uint64_t block, uint32_t warp, int lane) {
  const auto own = [&](uint32_t record) {
    const AccessRecord& r = history.records[record];
    return r.block == block && r.warp == warp && r.ordering.strength == Strength::plain;
  };
  if (number == 0) return;
  if (!(number & group_bit)) {
    if (int(number & 31) == lane && own(number >> 5)) number = 0;
    return;
  }
  auto& group = history.groups[number & ~group_bit];
  for (History::Member& m : group) {
    if (own(m.record)) m.lanes &= ~(1u << lane);
  }
  std::erase_if(group, [](const History::Member& m) { return m.lanes == 0; });
}

uint32_t record_of(History& history, Warp& warp, const Access& access) {
  BlockOrder& block = *warp.block->memory.order;
  WarpOrder& order = block.warps[warp.index];
  History::Latest& latest = history.latest[access.site];
  if (latest.block == block.number && latest.warp == warp.index && latest.version == order.version &&
      !access.asynchronous) {
    return latest.record;
  }
  AccessRecord r;
  r.block = block.number;
  r.warp = warp.index;
  r.site = access.site;
  r.kind = access.kind;
  r.ordering = access.ordering;
  r.asynchronous = access.asynchronous;
  r.stamp = order.stamp[0];
  const bool uniform = std::all_of(order.stamp.begin(), order.stamp.end(),
                                   [&](Tick stamp) { return stamp == order.stamp[0]; });
  if (!uniform || access.asynchronous) {
    r.stamps = int32_t(history.stamps.size());
    history.stamps.push_back(order.stamp);
  }
  if (access.asynchronous) r.pending = access.mask;
  if (order.extras) {
    for (size_t lane = 0; lane < 32; ++lane) {
      r.fenced |= uint32_t(order.extras->block_fence[lane].any) << lane;
      r.fenced_for_all |= uint32_t(order.extras->device_fence[lane].any) << lane;
    }
  }
  if (access.kind != AccessKind::read && access.ordering.strength == Strength::atomic &&
      access.ordering.scope == Scope::block) {
    history.block_scoped = true;
  }
  history.records.push_back(r);
  latest = {block.number, warp.index, order.version, uint32_t(history.records.size() - 1)};
  return latest.record;
}

void History::clear() {
  records.assign(1, AccessRecord{});
  stamps.clear();
  groups.clear();
  latest.clear();
  block_scoped = false;
}

void forget_unnamed(RaceState& state, Memory::State& memory) {
  History& old = state.history;
  History kept;
  kept.block_scoped = old.block_scoped;
  std::vector<uint32_t> moved(old.records.size(), 0);
  const auto move_record = [&](uint32_t record) {
    if (moved[record] == 0) {
      kept.records.push_back(old.records[record]);
      int32_t& stamps = kept.records.back().stamps;
      if (stamps >= 0) {
        kept.stamps.push_back(old.stamps[size_t(stamps)]);
        stamps = int32_t(kept.stamps.size() - 1);
      }
      moved[record] = uint32_t(kept.records.size() - 1);
    }
    return moved[record];
  };
  const auto move_number = [&](uint32_t& number) {
    if (number == 0) return;
    if (number & group_bit) {
      std::vector<History::Member> group = std::move(old.groups[number & ~group_bit]);
      for (History::Member& m : group) m.record = move_record(m.record);
      kept.groups.push_back(std::move(group));
      number = group_bit | uint32_t(kept.groups.size() - 1);
    } else {
      number = number_of(move_record(number >> 5), int(number & 31));
    }
  };
  memory.each_live([&](Allocation& a) {
    if (!a.race_cells) return;
    auto* cells = reinterpret_cast<Cell*>(a.race_cells.data());
    for (size_t i = 0; i < (a.info.bytes >> a.race_shift) + 1; ++i) {
      move_number(cells[i].write);
      move_number(cells[i].reads);
      move_number(cells[i].strong);
    }
  });
  old = std::move(kept);
  state.most_records = std::max(state.most_records, 2 * old.records.size());
}

}  // namespace warpbook::simt
