#include "result/occupancy.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace warpbook {

std::string bytes_in_words(int64_t bytes) {
  if (bytes != 0 && bytes % 1024 == 0) return fmt::format("{} KiB", with_thousands(uint64_t(bytes / 1024)));
  return with_thousands(uint64_t(std::max<int64_t>(bytes, 0))) + (bytes == 1 ? " byte" : " bytes");
}

std::string limit_in_words(const OccupancyQuestion& question, const Occupancy& occupancy) {
  const int64_t warps = (question.block_size + 31) / 32;
  if (occupancy.active_blocks == 0) {
    if (occupancy.limit_warps == 0)
      return fmt::format("A block of {} threads cannot be launched: it is too large.",
                         with_thousands(uint64_t(question.block_size)));
    if (occupancy.limit_registers == 0)
      return fmt::format(
          "The launch fails: {} threads with {} registers each need more than the registers of "
          "an SM.",
          with_thousands(uint64_t(question.block_size)), question.registers);
    if (occupancy.limit_shared == 0)
      return fmt::format("The launch fails: {} of shared memory are more than a block may have.",
                         bytes_in_words(question.static_bytes + question.dynamic_bytes));
    return "The launch fails: a block uses more barriers than an SM has.";
  }
  std::vector<std::string> reasons;
  for (const std::string& factor : occupancy.limiting) {
    if (factor == "warps") {
      reasons.push_back(
          fmt::format("the {} places for warps (a block takes {})", occupancy.max_warps, warps));
    } else if (factor == "registers") {
      reasons.push_back(fmt::format("the registers (a block takes {})",
                                    with_thousands(uint64_t(occupancy.registers_per_block))));
    } else if (factor == "shared_memory") {
      reasons.push_back(fmt::format("the {} of shared memory (a block takes {})",
                                    bytes_in_words(occupancy.shared_pool),
                                    bytes_in_words(occupancy.shared_per_block)));
    } else if (factor == "blocks") {
      reasons.push_back(fmt::format("the {} places for blocks", occupancy.limit_blocks));
    } else {
      reasons.push_back("the barriers");
    }
  }
  std::string list;
  for (size_t i = 0; i < reasons.size(); ++i)
    list += (i == 0 ? "" : i + 1 == reasons.size() ? " and " : ", ") + reasons[i];
  return fmt::format("{} of {} warps: limited by {}.", occupancy.active_warps, occupancy.max_warps, list);
}

}  // namespace warpbook
