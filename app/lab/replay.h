#pragma once
// A run once more, to be looked at: the block that a diagnosis speaks of, recorded step by step in the order
// of threads that showed it.
#include <optional>
#include <string>

#include "lab/check.h"
#include "lab/run.h"

namespace warpbook {

struct OpenedLaunch;  // lab/opened_launch.h

struct Replay {
  Launch launch;
  std::string with;   ///< "n = 33, block = (32, 1, 1)"; empty for a lab
  std::string order;  ///< "blocks and warps in reverse order"
  /// What is looked at, with block and thread as this run has them; absent when an order is seen without a
  /// fault in it.
  std::optional<Diagnosis> diagnosis;
  BlockRecording recording;
};

/// A lab's run with the block of `diagnosis` recorded.
Result<Replay> replay(Session& session, RunRequest request, const Diagnosis& diagnosis,
                      RunProgress* progress = nullptr);

/// The first case of an exercise in which an answer shows `diagnosis`.
Result<Replay> replay(Session& session, const Lesson& lesson, const Exercise& exercise,
                      const std::string& source, const std::string& file, const Diagnosis& diagnosis,
                      uint64_t seed = 0, RunProgress* progress = nullptr);

/// One of the orders that a check tried. Where it gave a wrong element, the block that wrote it is recorded,
/// else the first block.
Result<Replay> replay(Session& session, const Lesson& lesson, const Exercise& exercise,
                      const std::string& source, const std::string& file, const TriedOrder& order,
                      uint64_t seed = 0, RunProgress* progress = nullptr);

/// Of a launch of a whole program.
Result<Replay> replay(Session& session, const OpenedLaunch& opened, RunRequest request,
                      const Diagnosis& diagnosis, RunProgress* progress = nullptr);

}  // namespace warpbook
