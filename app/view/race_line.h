#pragma once
// The pure step of `race-line`: two accesses that nothing orders, in both orders that a GPU may choose, and
// what comes of each.
#include <array>
#include <string>
#include <vector>

#include "view/view.h"

namespace warpbook::view {

struct RaceAccess {
  std::string access;  ///< read, write, atomic
  int line = 0;
  Dim3 block, thread;
  int64_t number = 0;  ///< of the thread, through the grid
  std::string who;     ///< "thread 5", with its block where the two differ in it
};

struct Race {
  std::string cell;  ///< "s[33]"
  bool global = false;
  RaceAccess one, other;
  /// What the cell or the reader ends up with when `one` comes first, and when `other` does.
  std::array<std::string, 2> outcome;
  std::string cure;  ///< what would order them
};

struct RaceLine {
  std::vector<Race> races;  ///< the run's race diagnoses, in their order
  std::string words;        ///< when there are none
};

RaceLine make_race_line(const ViewInput& input);

/// Where a walk stands: race `race`, order `order` (0: `one` first), and how many of its two accesses have
/// happened, 1 or 2.
struct RaceStep {
  size_t race = 0, order = 0;
  int happened = 1;
};
RaceStep race_step(size_t step);
size_t race_steps(const RaceLine& line);

}  // namespace warpbook::view
