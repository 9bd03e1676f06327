#pragma once
// An answer checked in a process of its own, with limits: whatever it does, the next one is graded.
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "base/process.h"
#include "lab/check.h"

namespace warpbook::cli {

struct ChildCheck {
  std::string program;  ///< warpbook itself
  std::string lesson, exercise;
  Path file;
  uint64_t seed = 0;
  std::vector<std::string> options;  ///< --root, --lessons, --gpu with their values
  std::chrono::seconds time{120};
  uint64_t memory_bytes = 6ull << 30;  ///< address space: the compiler alone maps more than 1 GiB
};

/// The child's report. An answer that ends its child, or that is stopped at a limit, has a report that says
/// so and does not pass; errors are trouble of the set-up, which would be the same for every answer.
Result<CheckReport> check_in_child(const ChildCheck& order);

/// The report in `check --format json`'s text; errors say what is missing.
Result<CheckReport> report_from_json(std::string_view text);
/// What stands for the report of a child that gave none.
CheckReport report_of_lost_child(const ChildCheck& order, const ChildOutput& output);

}  // namespace warpbook::cli
