#pragma once
// Files that later versions of Warpbook may have written more into: what is not known is kept as it was and
// written back, and a file of a newer version is refused rather than cut down.
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "base/result.h"
#include "lesson/json_reader.h"

namespace warpbook {

/// Opens a versioned file: null when it is not there; an error when it is broken or newer than `version`.
Result<std::unique_ptr<JsonReader>> open_versioned(const Path& file, int version, std::string_view what);

/// The parts of `json` whose pointers are not in `known`; "*" stands for any key. JSON text, or empty when
/// all is known.
std::string unknown_parts(const std::string& json, const std::vector<std::string>& known);

/// Writes `known` over `unknown`, by rename. Refuses to replace a file of a newer version.
Result<Done> write_versioned(const Path& file, int version, std::string_view what, const std::string& known,
                             const std::string& unknown);

}  // namespace warpbook
