#pragma once
// Who did what to a granule: a cell names one access of one lane by a number, or a group of them.
#include <bit>

#include "simt/access/race.h"

namespace warpbook::simt {

inline constexpr uint32_t group_bit = 0x8000'0000;

inline uint32_t number_of(uint32_t record, int lane) { return record << 5 | uint32_t(lane); }

template <class F>
void each_member(const History& history, uint32_t number, F f) {
  if (number == 0) return;
  if (number & group_bit) {
    for (const History::Member& m : history.groups[number & ~group_bit]) {
      for (uint32_t rest = m.lanes; rest; rest &= rest - 1) f(m.record, std::countr_zero(rest));
    }
  } else {
    f(number >> 5, int(number & 31));
  }
}

/// Joins an access to those that `number` names.
void add_member(History& history, uint32_t& number, uint32_t record, int lane);
/// Takes a thread's plain accesses out of a granule's.
void remove_plain(History& history, uint32_t& number, uint64_t block, uint32_t warp, int lane);
/// The record of an access, shared by what its warp does at the site until its clocks move on.
uint32_t record_of(History& history, Warp& warp, const Access& access);

}  // namespace warpbook::simt
