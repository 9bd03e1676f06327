// One access against what others did to the same granules.
#include "simt/access/race.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "simt/access/race_history.h"
#include "simt/exec/state.h"

namespace warpbook::simt {
namespace {

/// Volatile reads of one thread that wait for a fence, plain ones that wait for its compare-and-swap: the
/// first ones tell enough.
constexpr size_t most_waiting = 8;

/// One lane of the access that is judged.
struct Actor {
  Warp& warp;
  const Access& access;
  int lane;
  History& history;
  uint32_t record;
  const void* object;
  bool swaps;  ///< compare-and-swap

  bool writes() const { return access.kind != AccessKind::read; }
  bool fenced(bool same_block) const {
    const WarpOrder& order = warp.block->memory.order->warps[warp.index];
    if (!order.extras) return false;
    const auto& fences = same_block ? order.extras->block_fence : order.extras->device_fence;
    return fences[size_t(lane)].any;
  }
};

std::array<std::byte, 32> stored_value(const Actor& actor, int lane) {
  std::array<std::byte, 32> bytes{};
  const Access& a = actor.access;
  for (uint32_t k = 0; k < a.components && (k + 1) * a.component_bytes <= bytes.size(); ++k) {
    const std::byte* slot = actor.warp.frame + a.slots[k] + size_t(lane) * (a.wide[k] ? 8 : 4);
    std::memcpy(bytes.data() + size_t(k) * a.component_bytes, slot, a.component_bytes);
  }
  return bytes;
}

/// The plain store puts there what the granule's last writer has put there already.
bool stores_the_same(const Actor& actor, const AccessRecord& other) {
  const Access& a = actor.access;
  if (!a.slots || a.bytes > 32 || other.pending) return false;
  const auto value = stored_value(actor, actor.lane);
  for (int lane = actor.lane - 1; lane >= 0; --lane) {
    if (!(a.mask >> lane & 1)) continue;
    const Address distance = a.address[lane] - a.address[actor.lane];
    if (distance == 0) return stored_value(actor, lane) == value;
    if (distance + a.bytes - 1 < 2ull * a.bytes - 1) return false;
  }
  std::array<std::byte, 32> there{};
  return read_bytes(actor.warp, actor.lane, a.address[actor.lane], there.data(), a.bytes) && there == value;
}

Race race_between(const Actor& actor, const AccessRecord& other, int other_lane, bool same_value) {
  Race race;
  race.first = {actor.access.site, actor.access.kind, actor.access.asynchronous, actor.warp.block->number,
                thread_number(actor.warp.index, actor.lane)};
  race.other = {other.site, other.kind, other.asynchronous, other.block,
                thread_number(other.warp, other_lane)};
  race.first_strength = actor.access.ordering.strength;
  race.other_strength = other.ordering.strength;
  race.same_value = same_value;
  race.object = actor.object;
  race.bytes = actor.access.bytes;
  race.count = 1;
  const bool across = race.first.block != race.other.block;
  const bool both_volatile =
      race.first_strength == Strength::is_volatile && race.other_strength == Strength::is_volatile;
  if (across && both_volatile) {
    // Flags, which a fence beside them makes fine.
    race.short_fence = (actor.fenced(true) && !actor.fenced(false)) ||
                       ((other.fenced & ~other.fenced_for_all) >> other_lane & 1);
  } else if (across &&
             is_before(other, other_lane, actor.history, actor.warp, actor.lane, Trust::any_scope)) {
    const RaceState& state = *actor.warp.worker->memory->launch->race;
    race.short_fence = state.narrow_fences;
    race.short_flag = state.narrow_flags;
  }
  const auto rank = [](const Race::Side& side) {
    return std::make_tuple(side.kind == AccessKind::read, side.site, side.block, side.thread);
  };
  if (rank(race.other) < rank(race.first)) {
    std::swap(race.first, race.other);
    std::swap(race.first_strength, race.other_strength);
  }
  return race;
}

void found(const Actor& actor, const AccessRecord& other, int other_lane, bool same_value = false) {
  MemoryLaunch& launch = *actor.warp.worker->memory->launch;
  RaceState& state = *launch.race;
  Race race = race_between(actor, other, other_lane, same_value);
  const ObjectAt at = object_at(actor.warp, actor.access, actor.access.address[actor.lane]);
  race.buffer = at.name;
  race.space = at.space;
  race.index = at.index;
  const bool may_be_flag =
      race.first_strength == Strength::is_volatile && race.other_strength == Strength::is_volatile;
  if (may_be_flag) {
    const bool same_block = race.first.block == race.other.block;
    const bool fenced_then = (same_block ? other.fenced : other.fenced_for_all) >> other_lane & 1;
    const bool both_write = actor.writes() && other.kind != AccessKind::read;
    if ((actor.writes() && actor.fenced(same_block)) || (other.kind != AccessKind::read && fenced_then))
      return;
    if (!both_write) {
      const Race::Side& reader = race.other;  // `first` writes
      auto& waiting = state.waiting[{reader.block, reader.thread}];
      if (waiting.size() < most_waiting) waiting.push_back(std::move(race));
      return;
    }
  }
  const bool may_be_confirmed = race.other.kind == AccessKind::read && !race.other.asynchronous &&
                                race.other_strength == Strength::plain &&
                                race.first_strength == Strength::atomic;
  if (may_be_confirmed) {
    auto& open = state.unconfirmed[{race.other.block, race.other.thread}];
    if (open.size() < most_waiting) open.push_back(std::move(race));
    return;
  }
  note_race(state, std::move(race));
}

/// A loop around a compare-and-swap may begin with a plain read: when the value was old, the swap fails and
/// the loop goes round with the one that it got.
void confirm_read(const Actor& actor, Cell& cell) {
  RaceState& state = *actor.warp.worker->memory->launch->race;
  const uint64_t block = actor.warp.block->number;
  remove_plain(actor.history, cell.reads, block, actor.warp.index, actor.lane);
  const auto open = state.unconfirmed.find({block, thread_number(actor.warp.index, actor.lane)});
  if (open == state.unconfirmed.end()) return;
  const int64_t index = object_at(actor.warp, actor.access, actor.access.address[actor.lane]).index;
  std::erase_if(open->second,
                [&](const Race& race) { return race.object == actor.object && race.index == index; });
  if (open->second.empty()) state.unconfirmed.erase(open);
}

/// What the members of a group are to an access that nothing orders after them.
template <class Harmful>
void judge_group(const Actor& actor, uint32_t number, Harmful harmful) {
  each_member(actor.history, number, [&](uint32_t record, int lane) {
    const AccessRecord& other = actor.history.records[record];
    if (!harmful(other)) return;
    const bool same_block = other.block == actor.warp.block->number;
    const bool fenced = (same_block ? other.fenced : other.fenced_for_all) >> lane & 1;
    Trust trust = Trust::nothing;
    if (other.ordering.strength == Strength::atomic && fenced) trust = Trust::handed_over;
    if (other.ordering.strength == Strength::is_volatile &&
        actor.access.ordering.strength == Strength::is_volatile)
      trust = Trust::both_volatile;
    if (!is_before(other, lane, actor.history, actor.warp, actor.lane, trust)) found(actor, other, lane);
  });
}

void judge_cell(const Actor& actor, Cell& cell) {
  const Ordering& own = actor.access.ordering;
  const bool plain = own.strength == Strength::plain;
  const uint64_t block = actor.warp.block->number;
  if (actor.swaps) confirm_read(actor, cell);
  if (cell.write) {
    const AccessRecord& other = actor.history.records[cell.write >> 5];
    const int lane = int(cell.write & 31);
    if (!is_before(other, lane, actor.history, actor.warp, actor.lane)) {
      const bool same = plain && actor.access.kind == AccessKind::write && stores_the_same(actor, other);
      found(actor, other, lane, same);
    }
  }
  if (cell.strong && (plain || own.strength == Strength::is_volatile || own.scope == Scope::block ||
                      actor.history.block_scoped)) {
    judge_group(actor, cell.strong, [&](const AccessRecord& other) {
      if (plain) return true;
      if (own.strength == Strength::is_volatile && other.ordering.strength == Strength::is_volatile)
        return true;
      // An atomic of block scope is no atomic to another block.
      return other.block != block && (own.scope == Scope::block || other.ordering.scope == Scope::block);
    });
  }
  if (actor.writes() && cell.reads) {
    judge_group(actor, cell.reads, [&](const AccessRecord& other) {
      return plain || other.ordering.strength == Strength::plain ||
             (own.strength == Strength::is_volatile && other.ordering.strength == Strength::is_volatile);
    });
  }
  if (!actor.writes()) {
    add_member(actor.history, cell.reads, actor.record, actor.lane);
  } else if (plain) {
    cell = Cell{number_of(actor.record, actor.lane), 0, 0};
  } else {
    add_member(actor.history, cell.strong, actor.record, actor.lane);
  }
}

/// From coarse to fine granules; groups are copied, since each goes its own way from here.
template <class At>
void copy_cells(History& history, size_t count, uint32_t times, At at, std::vector<Cell>& to) {
  to.reserve(count * times);
  for (size_t i = 0; i < count; ++i) {
    for (uint32_t k = 0; k < times; ++k) {
      Cell cell = at(i);
      for (uint32_t* number : {&cell.reads, &cell.strong}) {
        if (!(*number & group_bit) || k == 0) continue;
        history.groups.push_back(std::vector<History::Member>(history.groups[*number & ~group_bit]));
        *number = group_bit | uint32_t(history.groups.size() - 1);
      }
      to.push_back(cell);
    }
  }
}

void refine_shared(BlockOrder& block, uint32_t bytes) {
  const uint32_t finer = bytes == 1 ? 0 : 1;
  std::vector<Cell> fine;
  copy_cells(
      block.history, block.cells.size(), 1u << (block.shift - finer),
      [&](size_t i) { return block.cells[i]; }, fine);
  block.cells = std::move(fine);
  block.shift = finer;
}

void refine_global(History& history, Allocation& a, uint32_t bytes) {
  const uint32_t finer = bytes == 1 ? 0 : 1;
  const auto* cells = reinterpret_cast<const Cell*>(a.race_cells.data());
  std::vector<Cell> fine;
  copy_cells(
      history, (a.info.bytes >> a.race_shift) + 1, 1u << (a.race_shift - finer),
      [&](size_t i) { return cells[i]; }, fine);
  a.race_cells = Pages::zeros(fine.size() * sizeof(Cell));
  std::memcpy(a.race_cells.data(), fine.data(), fine.size() * sizeof(Cell));
  a.race_shift = finer;
}

}  // namespace

void note_race(RaceState& state, Race race) {
  const auto [entry, fresh] =
      state.found.try_emplace({race.first.site, race.other.site, race.object, race.same_value}, race);
  if (fresh) return;
  Race& known = entry->second;
  const auto rank = [](const Race& r) {
    return std::make_tuple(r.first.block, r.first.thread, r.other.block, r.other.thread, r.index);
  };
  const uint64_t count = known.count + race.count;
  if (rank(race) < rank(known)) known = std::move(race);
  known.count = count;
}

void judge(Warp& warp, const Access& access, const SiteCache* cache) {
  MemoryLaunch& launch = *warp.worker->memory->launch;
  RaceState& state = *launch.race;
  BlockOrder& block = *warp.block->memory.order;
  const bool swaps = access.kind == AccessKind::atomic &&
                     launch.code->sites[access.site].name.find(".cas") != std::string::npos;
  AsyncCopy copy;
  if (state.history.records.size() >= state.most_records) forget_unnamed(state, *launch.memory);
  for (uint32_t rest = access.mask; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const Address address = access.address[lane];
    if (address >= local_window) continue;
    if (address >= shared_window) {
      const SharedArray& array = *launch.array_at(address);
      if (access.bytes < (1u << block.shift)) refine_shared(block, access.bytes);
      // An asynchronous copy is a record of its own, one for all lanes.
      const uint32_t record = copy.record ? copy.record : record_of(block.history, warp, access);
      const Actor actor{warp, access, lane, block.history, record, &array, swaps};
      const uint64_t at = array.offset + (address - array.address);
      for (uint64_t g = at >> block.shift; g <= (at + access.bytes - 1) >> block.shift; ++g) {
        judge_cell(actor, block.cells[g]);
      }
      if (access.asynchronous) {
        copy.lanes |= 1u << lane;
        copy.at[size_t(lane)] = uint32_t(at);
        copy.record = record;
      }
    } else if (address < parameter_window) {
      Allocation* a = cache ? cache->allocation : launch.memory->window_of(address);
      if (!a || a->info.read_only) continue;
      if (!a->race_cells) {
        a->race_shift = 2;
        a->race_cells = Pages::zeros(((a->info.bytes >> a->race_shift) + 1) * sizeof(Cell));
      }
      if (access.bytes < (1u << a->race_shift)) refine_global(state.history, *a, access.bytes);
      const Actor actor{warp, access, lane, state.history, record_of(state.history, warp, access), a, swaps};
      const uint64_t at = address - a->info.address;
      auto* cells = reinterpret_cast<Cell*>(a->race_cells.data());
      for (uint64_t g = at >> a->race_shift; g <= (at + access.bytes - 1) >> a->race_shift; ++g) {
        judge_cell(actor, cells[g]);
      }
    } else {
      continue;
    }
    if (access.ordering.strength != Strength::plain) {
      exchange_order(warp, access, lane);
    } else if (access.kind != AccessKind::read) {
      // A plain store breaks the chain that a flag's readers could learn from.
      auto& flags = address >= shared_window ? block.flags : state.flags;
      if (!flags.empty()) flags.erase(address);
    }
  }
  if (copy.lanes) {
    WarpExtras& more = block.warps[warp.index].more();
    copy.site = access.site;
    copy.bytes = access.bytes;
    copy.group = more.commits;
    more.copies.push_back(copy);
  }
}

void keep_pending_copies(BlockState& state) {
  BlockOrder& block = *state.memory.order;
  for (uint32_t w = 0; w < block.warps.size(); ++w) {
    if (!block.warps[w].extras) continue;
    for (AsyncCopy& copy : block.warps[w].extras->copies) {
      AccessRecord r;
      r.block = block.number;
      r.warp = w;
      r.site = copy.site;
      r.kind = AccessKind::write;
      r.asynchronous = true;
      r.pending = copy.lanes;
      r.stamps = int32_t(block.history.stamps.size());
      block.history.stamps.push_back(block.warps[w].stamp);
      block.history.records.push_back(r);
      copy.record = uint32_t(block.history.records.size() - 1);
      for (uint32_t rest = copy.lanes; rest; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const uint64_t at = copy.at[size_t(lane)];
        for (uint64_t g = at >> block.shift; g <= (at + copy.bytes - 1) >> block.shift; ++g) {
          block.cells[g].write = number_of(copy.record, lane);
        }
      }
    }
  }
}

}  // namespace warpbook::simt
