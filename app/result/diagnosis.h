#pragma once
// What is wrong with a kernel, a launch or a compile, in the learner's own names (DESIGN section 3).
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "result/launch.h"

namespace warpbook {

struct Moment;  // result/moment.h

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

  // What the debug build adds.
  std::string element;    ///< as the learner would write it: "tile[16][3]", "p.w[3]"; empty = buffer[index]
  uint64_t elements = 0;  ///< of the buffer, as `index` counts them; 0 = not known
  struct Variable {       ///< of the thread at fault, outermost scope first
    std::string name, value;
    int line = 0;  ///< of its declaration
  };
  std::vector<Variable> variables;
  std::shared_ptr<const Moment> moment;  ///< kept only until the names are found
};

std::string_view name_of(Severity severity);

/// Merges by (kind, line, buffer): keeps the lowest block and thread, adds the counts, sorts by severity and
/// line.
std::vector<Diagnosis> merge(std::vector<Diagnosis> found);

bool has_errors(const std::vector<Diagnosis>& found);

}  // namespace warpbook
