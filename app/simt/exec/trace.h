#pragma once
// Keeps the way of some blocks for the timing model (result/kernel_trace.h).
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "result/kernel_trace.h"
#include "simt/ptx/module.h"

namespace warpbook::simt {

struct CodeFunction;
struct Inst;
struct LaunchContext;
struct Warp;
struct Worker;

/// A worker's part: the sampled blocks that it ran.
struct TraceKeeper {
  std::map<uint64_t, std::unique_ptr<BlockTrace>> blocks;
  WarpTrace* running = nullptr;  ///< of the warp whose slice runs now; null when it has none
  size_t most_words = 0;         ///< a warp
};

/// What an instruction is to the hardware's pipes.
InstructionKind kind_of(const ptx::Instruction& instruction);

/// True when the block is sampled.
bool is_sampled(const LaunchContext& context, uint64_t block);
/// A warp's slice begins. True when it is traced.
bool trace_slice(Warp& warp);
/// The warp of the running slice enters a basic block, or made an access (TraceKeeper::running is set).
void trace_basic_block(Warp& warp, const CodeFunction& function, uint32_t block, uint32_t lanes);
void trace_access(Warp& warp, const Inst& inst, uint32_t lanes, const uint64_t* addresses);

/// All workers' traces together, with the static facts of the code; null at level run.
std::shared_ptr<const KernelTrace> collect_trace(const LaunchContext& context,
                                                 std::vector<std::unique_ptr<Worker>>& workers);

}  // namespace warpbook::simt
