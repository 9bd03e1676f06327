#pragma once
// The versions of an answer side by side: what starter, own text and solution count on the same inputs.
#include <optional>
#include <string>
#include <vector>

#include "lab/run.h"
#include "result/counters.h"

namespace warpbook {

struct VersionCounts {
  std::string name;    ///< "Starter", "Mine", "Solution"
  std::string status;  ///< of its run: ok, fault ..., or compile-error
  std::optional<Counters> counters;
};

struct CountedVersions {
  std::string with;  ///< the case: "n = 1000, block = (128, 1, 1)"
  std::vector<VersionCounts> versions;
  std::vector<std::string> gated;  ///< names of the counters that the exercise's checks have bounds for
};

/// Runs each on the exercise's largest case, the one with the most threads. Programs have none of this.
Result<CountedVersions> count_versions(Session& session, const Lesson& lesson, const Exercise& exercise,
                                       const std::string& mine, RunProgress* progress = nullptr);

/// The counters that are worth a row: gated ones first, then those in which the versions differ.
std::vector<std::string> telling_counters(const CountedVersions& counted, size_t most);

}  // namespace warpbook
