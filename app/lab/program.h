#pragma once
// A whole program: built, run in a confined child on our runtime library, its tape read and judged.
#include <memory>

#include "base/confine.h"
#include "device/program_build.h"
#include "lab/run.h"

namespace warpbook {

/// What a session keeps between programs: where the compiler is and what the machine offers to confine them.
struct ProgramHost {
  ProgramBuilder builder;
  Confinement confinement;
};

/// The session's, made when there is none yet.
ProgramHost& program_host(Session& session);

/// Why whole programs cannot be built here, with what to do; empty when they can.
std::string programs_missing(Session& session);

/// `request.program` is set. The caller holds the session's lock.
Result<RunResult> run_program(Session& session, const RunRequest& request, RunProgress* progress);

}  // namespace warpbook
