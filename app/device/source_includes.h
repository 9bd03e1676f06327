#pragma once
// Which files a source includes, as far as they are the learner's own.
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"

namespace warpbook {

struct SourceIncludes {
  std::string own_content;  ///< of all headers found in the learner's folders, with their paths
  std::vector<Path> own_files;
  bool others = false;  ///< something comes from elsewhere: the toolkit
};

/// Follows `#include` lines through `folders`. What macros include or conditions skip is not told apart.
SourceIncludes scan_includes(std::string_view source, const std::vector<Path>& folders);

}  // namespace warpbook
