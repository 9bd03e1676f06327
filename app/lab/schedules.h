#pragma once
// Orders in which a launch's threads may run, by number: one seed names one order exactly, so that what was
// seen once can be seen again.
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "lab/run.h"

namespace warpbook {

/// 0: blocks, warps and lanes in their order; 1: reversed; 2: every warp a few instructions, then the next;
/// from 3 on shuffled by the number, with turns that like to end at stores, atomics, flags and barriers.
struct Schedule {
  Order order = Order::forward;
  uint64_t seed = 0;
};
Schedule schedule_numbered(uint64_t seed);
/// How a request wants its kernel to run in an order, within the time that is left.
RunOptions run_options(const RunRequest& request, const Schedule& schedule, std::chrono::milliseconds left,
                       const RunProgress* progress);
/// "blocks and warps in reverse order"
std::string name_of(const Schedule& schedule);

/// The first element in which an order's outputs are not those of the first order.
struct Difference {
  std::string buffer;
  ElementType type{};
  uint64_t index = 0;
  std::string first, other;  ///< the two values, as text
};
std::optional<Difference> first_difference(const std::vector<Output>& first,
                                           const std::vector<Output>& other);

/// The warning `schedule-dependent`: `different` of `tried` orders gave another result; the seeds of the
/// first order and of one that differs.
Diagnosis schedule_dependent(const Difference& difference, uint64_t first_seed, uint64_t other_seed,
                             int different, int tried);

}  // namespace warpbook
