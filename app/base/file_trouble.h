#pragma once
// What the system's error numbers mean for files, in a learner's words.
#include <string_view>

#include "base/files.h"
#include "base/result.h"

namespace warpbook {

/// "Could not read the file: there is no such file or folder.", with a hint where there is something to do.
Error file_trouble(std::string_view doing, const Path& path, int code);

}  // namespace warpbook
