#pragma once
// Where a program's calls stand in its sources: return addresses to lines, and of these the learner's own.
#include <string>
#include <vector>

#include "device/toolkit_place.h"
#include "lab/program_order.h"
#include "result/host_program.h"

namespace warpbook {

/// The program that made the tape, under both of its names.
struct ExecutedProgram {
  Path file;          ///< as it lies here, with its debug information
  std::string named;  ///< as the tape names it: its path where it ran
};

/// Fills the place of every row, and calls the files of diagnoses on the tape what the learner calls them.
/// Returns the learner's own files that calls were made from, as the debug information names them.
std::vector<std::string> look_up_places(HostProgram& story, const ExecutedProgram& program,
                                        const ProgramOrder& order, const ToolkitPlace& toolkit);

/// How places name a file: as the learner does, or from the working folder on.
std::string shown_name(const std::string& file, const ProgramOrder& order);

}  // namespace warpbook
