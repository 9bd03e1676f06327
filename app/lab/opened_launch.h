#pragma once
// One launch of a whole program, taken out of its tape: it runs by itself in the lab, like a lesson's kernel,
// on what it found, with other grids and blocks and with changed code.
#include <memory>
#include <string>
#include <vector>

#include "lab/program_order.h"
#include "lab/run.h"
#include "lab/source_scan.h"
#include "result/captured_launch.h"

namespace warpbook {

/// What the last program of a session left for those who open its launches.
struct ProgramLaunches {
  CapturedLaunches captured;
  ProgramOrder order;
  std::shared_ptr<const HostProgram> program;
};

struct OpenedLaunch {
  std::shared_ptr<const CapturedLaunch> captured;  ///< memory under the learner's names
  std::shared_ptr<const std::string> ptx;          ///< of its module, as the program ran it
  std::string kernel;                              ///< "add<float>"
  std::string symbol;                              ///< in the PTX
  Launch launch;
  int line = 0;  ///< of the launch
  /// The source that defines the kernel, and how it was built.
  std::string file, source;
  ProgramFile place;
  ProgramOrder order;
  std::vector<KernelParameter> parameters;
};

/// The launch of a row of `program`'s tape. Errors: it was not kept, or its kernel stands in no source that
/// is known.
Result<std::shared_ptr<const OpenedLaunch>> open_launch(const CapturedLaunches& captured,
                                                        const ProgramOrder& order, const HostProgram& program,
                                                        uint64_t row);

/// Runs it as run() runs a kernel: of `request` the launch, the level and what is to be recorded count, and
/// the source where it is not the program's own.
Result<RunResult> run_opened(Session& session, const OpenedLaunch& opened, const RunRequest& request,
                             RunProgress* progress = nullptr);

/// Names, elements and values by a debug build for what the program's run found in this launch.
void look_closer(Session& session, const OpenedLaunch& opened, const std::string& debug_ptx,
                 uint64_t warp_instructions, std::vector<Diagnosis>& diagnostics, RunProgress* progress);

}  // namespace warpbook
