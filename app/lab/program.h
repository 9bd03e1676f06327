#pragma once
// A whole program: built, run in a confined child on our runtime library, its tape read and judged.
#include <memory>

#include "base/confine.h"
#include "device/program_build.h"
#include "lab/run.h"

namespace warpbook {

struct ProgramLaunches;  // lab/opened_launch.h

/// What a session keeps between programs: where the compiler is and what the machine offers to confine them,
/// and what the launches of the last program found.
struct ProgramHost {
  ProgramBuilder builder;
  Confinement confinement;
  std::shared_ptr<const ProgramLaunches> launches = nullptr;
};

/// The session's, made when there is none yet.
ProgramHost& program_host(Session& session);

/// Why whole programs cannot be built here, with what to do; empty when they can.
std::string programs_missing(Session& session);

/// `request.program` is set. The caller holds the session's lock.
Result<RunResult> run_program(Session& session, const RunRequest& request, RunProgress* progress);

}  // namespace warpbook
