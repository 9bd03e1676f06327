#pragma once
// Small headers that learners include by habit and NVRTC has not: it sees no header of the host.
#include <string>
#include <utility>
#include <vector>

#include "base/files.h"

namespace warpbook {

/// Name and text. Headers that one of `folders` holds are left out, so that the toolkit's own come first.
std::vector<std::pair<std::string, std::string>> kernel_headers(const std::vector<Path>& folders);

}  // namespace warpbook
