#pragma once
// How the emulator's cost grows with the work, as `warpbook bench --page` tables and plots it.
#include <cstdint>
#include <string>
#include <vector>

namespace warpbook {

/// What was varied, and what came out.
struct Growth {
  std::string varied;  ///< as the table's row says it
  double amount = 0;   ///< as the plot's axis takes it
  uint64_t thread_instructions = 0;
  double milliseconds = 0;  ///< median, level run unless the table says otherwise
  double kilobytes = 0;     ///< memory beyond the row before it
};

struct GrowthTables {
  std::vector<Growth> work;       ///< Mandelbrot with more and more iterations
  std::vector<Growth> registers;  ///< the same work written with more and more registers
  std::vector<Growth> shadow;     ///< more and more of a 64 MiB buffer written, level check; amount in KiB
};

}  // namespace warpbook
