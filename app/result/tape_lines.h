#pragma once
// The tape as people read it: loops and calls of library headers are folded into one line each.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "result/host_program.h"

namespace warpbook {

/// One line a call of the learner's; loops and calls of library headers are folded.
struct TapeLine {
  size_t first = 0;    ///< index of its row
  size_t rows = 1;     ///< that it stands for, when it is a fold
  uint64_t times = 1;  ///< the rows from `first` on come so many times, one after the other
  std::string folded;  ///< "cub": the rows are a library's own
};
/// Rows of modules and the end of the program are left out.
std::vector<TapeLine> tape_lines(const HostProgram& program);

}  // namespace warpbook
