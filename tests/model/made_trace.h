#pragma once
// Traces written by hand: instructions, one basic block, the accesses of one warp.
#include <functional>

#include "result/kernel_trace.h"

namespace made_trace {

using namespace warpbook;

inline TracedInstruction arithmetic(KernelTrace& trace, InstructionKind kind, std::vector<uint16_t> reads,
                                    std::vector<uint16_t> writes) {
  TracedInstruction one;
  one.kind = kind;
  one.reads_first = uint32_t(trace.operands.size());
  trace.operands.insert(trace.operands.end(), reads.begin(), reads.end());
  one.reads_end = uint32_t(trace.operands.size());
  trace.operands.insert(trace.operands.end(), writes.begin(), writes.end());
  one.writes_end = uint32_t(trace.operands.size());
  return one;
}

inline TracedInstruction memory(KernelTrace& trace, InstructionKind kind, TracedSpace space, uint8_t bytes,
                                uint16_t base, int64_t offset, std::vector<uint16_t> reads,
                                std::vector<uint16_t> writes) {
  TracedInstruction one = arithmetic(trace, kind, std::move(reads), std::move(writes));
  one.space = space;
  one.bytes = bytes;
  one.base = base;
  one.offset = offset;
  return one;
}

/// All instructions as one basic block that every warp of every block goes through `times` times. `address`
/// gives the lanes' addresses of a memory instruction.
inline void run_through(KernelTrace& trace, uint64_t blocks, uint32_t warps, int times,
                        const std::function<void(uint64_t block, uint32_t warp, int time,
                                                 uint32_t instruction, uint64_t* addresses)>& address) {
  trace.basic_blocks = {{0, uint32_t(trace.instructions.size())}};
  trace.registers = 64;
  trace.grid_blocks = blocks;
  trace.complete = true;
  for (uint64_t b = 0; b < blocks; ++b) {
    BlockTrace block;
    block.block = b;
    block.warps.resize(warps);
    for (uint32_t w = 0; w < warps; ++w) {
      std::vector<uint32_t>& words = block.warps[w].words;
      for (int t = 0; t < times; ++t) {
        write_block(words, 0, ~0u);
        for (uint32_t i = 0; i < trace.instructions.size(); ++i) {
          const InstructionKind kind = trace.instructions[i].kind;
          if (kind != InstructionKind::load && kind != InstructionKind::store &&
              kind != InstructionKind::atomic)
            continue;
          uint64_t addresses[32] = {};
          address(b, w, t, i, addresses);
          write_access(words, i, ~0u, addresses);
        }
      }
    }
    trace.blocks.push_back(std::move(block));
  }
}

}  // namespace made_trace
