#pragma once
// What a whole program is built from: its files as the builder wants them, and their texts.
#include <map>
#include <string>
#include <vector>

#include "device/program_build.h"
#include "lab/program_sources.h"
#include "lab/run.h"

namespace warpbook {

struct ProgramOrder {
  BuildRequest build;                        ///< without the runtime's folder
  std::vector<ProgramSource> sources;        ///< as the learner calls them
  std::map<std::string, std::string> shown;  ///< real path to the learner's name
};

/// `request.program` is set and names no binary. A text that lies in no file of that name gets one in the
/// cache.
Result<ProgramOrder> program_order(Session& session, const RunRequest& request);

/// Without links and dots.
std::string real_name(const Path& path);

}  // namespace warpbook
