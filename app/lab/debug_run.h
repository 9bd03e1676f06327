#pragma once
// The second build of level check: compiled for a debugger, run for its diagnoses alone. What the optimiser
// hides shows there, with the learner's own names and lines (emulator notes, section 9).
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lab/execute.h"
#include "lab/run.h"

namespace warpbook {

struct DebugOrder {
  const CompileOrder& compile;
  const LoadedKernel& optimised;
  const Launch& launch;
  std::span<const ArgumentSpec> arguments;
  RunOptions options;              ///< of the optimised run; limits are set anew
  uint64_t warp_instructions = 0;  ///< that the optimised run took
  bool fixed_order = false;        ///< its blocks can see each other: all of them must run
  std::chrono::milliseconds time_left{0};
  std::vector<Diagnosis> found = {};  ///< by the optimised run: their blocks are run in any case
};

struct DebugFindings {
  std::vector<Diagnosis> diagnostics;  ///< named
  std::vector<uint64_t> blocks;        ///< linear numbers of those that ran; empty = all
  RunResult::DebugRun run;
};

/// Never an error: what goes wrong with the debug build is said in run.missing.
DebugFindings run_debug_build(Session& session, const DebugOrder& order, RunProgress* progress);

/// How a debug build is run for what an optimised run found, which took so many warp instructions.
struct DebugLook {
  std::vector<uint64_t> blocks;  ///< empty = all
  RunOptions options;
};
DebugLook debug_look(const RunOptions& optimised, const Launch& launch, uint64_t warp_instructions,
                     bool fixed_order, std::span<const Diagnosis> found, std::chrono::milliseconds time_left);

/// Takes a debug build's report: its diagnoses, or what is missing. `file`: as the code names the source.
void take_debug_report(DebugFindings& out, RunReport& report, const std::string& file);

/// Names for what it found. `compile`: another text of the same file for a debugger, as PTX.
void name_diagnoses(const CompiledCode& code, const std::string& source,
                    const std::function<std::optional<std::string>(const std::string& text)>& compile,
                    std::vector<Diagnosis>& diagnostics);

/// Runs the debug build and merges what it finds into `diagnostics`, those of the optimised run. Returns what
/// it covered.
RunResult::DebugRun look_closer(Session& session, DebugOrder order, std::vector<Diagnosis>& diagnostics,
                                RunProgress* progress);

/// The blocks of a sample: those that faults were found in, the corners and edges of the grid, and others
/// spread over it; ascending. Empty when `most` holds the whole grid.
std::vector<uint64_t> sample_blocks(const Dim3& grid, uint64_t most, std::span<const Diagnosis> found);

/// One list of both builds' diagnoses. Hangs and launches are the optimised build's to judge; accesses are
/// told once, with the names of the debug build; what follows from a fault already told is left out.
std::vector<Diagnosis> merge_builds(std::vector<Diagnosis> optimised, DebugFindings debug, const Dim3& grid);
/// A thread's own memory that an optimised build reads before anything wrote it: perhaps only ahead of a
/// branch, and the value is not taken. Of no worth where no debug build has looked.
bool may_be_read_ahead(const Diagnosis& d);

}  // namespace warpbook
