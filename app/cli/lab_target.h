#pragma once
// SLUG or SLUG/KERNEL: the lab whose kernel file (or variant) has that name.
#include <string>

#include "lab/run.h"
#include "lesson/lesson.h"

namespace warpbook::cli {

struct LabTarget {
  const Lesson* lesson = nullptr;
  const Lab* lab = nullptr;
  std::string variant;  ///< label; empty = the lab's first kernel
};
Result<LabTarget> find_lab(const Library& library, const std::string& target);

/// It names a file rather than a lab.
bool is_source_file(const std::string& target);
/// The text of a .cu file as a request; errors for folders and programs.
Result<RunRequest> file_request(const std::string& target);

}  // namespace warpbook::cli
