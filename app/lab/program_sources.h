#pragma once
// What the text of a program tells that its tape does not: names of buffers, lines of kernels, clocks.
#include <string>
#include <utility>
#include <vector>

#include "result/host_program.h"

namespace warpbook {

struct ProgramSource {
  std::string file;  ///< as places name it
  std::string text;
};

/// Fills kernels, names and clocks of `program`, whose tape and places are there, and puts the names of
/// kernels' parameters where the tape has their numbers.
void read_sources(HostProgram& program, const std::vector<ProgramSource>& sources);

}  // namespace warpbook
