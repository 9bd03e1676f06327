#pragma once
// What is wrong with a kernel, a launch or a compile, in the learner's own names (DESIGN section 3).
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "result/launch.h"

namespace warpbook {

enum class Severity { error, warning, note };

struct Diagnosis {
  Severity severity = Severity::error;
  std::string kind;     ///< "oob-read", "race-shared", ...: the list of DESIGN section 3
  std::string message;  ///< one plain sentence: what happened
  std::string hint;     ///< what to do
  std::string file;
  int line = 0, column = 0;
  std::string access;            ///< read write atomic barrier shuffle loop call launch exit div, or empty
  std::string space;             ///< global shared local const, or empty
  std::string buffer;            ///< the learner's name, or empty
  std::optional<int64_t> index;  ///< in elements of the buffer, negative or past the end as computed
  uint32_t bytes = 0;
  std::optional<Dim3> block;  ///< the lowest block at fault, then the lowest thread, x fastest
  std::optional<Dim3> thread;
  std::string threads;  ///< "0..31" where a range of threads is meant, or empty

  struct Other {  ///< the other access of a race, the other place of a barrier
    int line = 0;
    std::string access;
    std::optional<Dim3> block, thread;
  };
  std::optional<Other> other;
  uint64_t count = 1;  ///< how many lanes or threads this stands for
};

std::string_view name_of(Severity severity);

/// Merges by (kind, line, buffer): keeps the lowest block and thread, adds the counts, sorts by severity and
/// line.
std::vector<Diagnosis> merge(std::vector<Diagnosis> found);

bool has_errors(const std::vector<Diagnosis>& found);

}  // namespace warpbook
