#pragma once
// The GPU's part of a run: a learner's code after the emulator has looked at it and in a process of its own,
// ours at once and in this process; the time measured; the outputs held against the emulator's.
#include <span>

#include "lab/execute.h"

namespace warpbook {

/// Warp instructions of the emulator's look at a learner's code that is only to be run: about two seconds.
inline constexpr uint64_t preflight_instructions = 20'000'000;

bool has_gpu(const Session& session);
/// PTX that prints: that text goes to the process' own output, which belongs to the program.
bool prints(const LoadedKernel& kernel);
/// Its source is one that came with a lesson, unchanged.
bool is_ours(const RunRequest& request);

/// Runs the kernel on the session's GPU and puts into `result` what came of it: outputs, time, diagnoses and
/// `on_gpu`. Result's outputs are the emulator's before, or empty when it did not run. A kernel that fails on
/// the GPU is a result; errors are trouble with the engine, which the caller may do without.
Result<Done> run_on_gpu(Session& session, const RunRequest& request, const LoadedKernel& kernel,
                        std::span<const ArgumentSpec> arguments, const RunOptions& options, RunResult& result,
                        RunProgress* progress);

}  // namespace warpbook
