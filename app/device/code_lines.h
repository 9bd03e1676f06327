#pragma once
// From addresses in a program to lines of its sources, by its debug information.
#include <cstdint>
#include <string>
#include <vector>

#include "base/files.h"

namespace warpbook {

struct CodeLine {
  std::string file;  ///< empty when it is not known
  int line = 0;
  std::string function;  ///< as C++ writes it
};

/// For each address the line, and behind it the lines that it was inlined into, outwards. One start of
/// addr2line (binutils, which the host's compiler needs anyhow) answers all; without it every list is empty.
std::vector<std::vector<CodeLine>> code_lines(const Path& object, const std::vector<uint64_t>& addresses);

}  // namespace warpbook
