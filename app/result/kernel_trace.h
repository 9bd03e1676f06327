#pragma once
// What some blocks of a launch executed, compact enough to keep: the basic blocks that each warp went through
// and where its memory accesses went. The timing model replays it for any GPU; the kernel never runs again.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "result/launch.h"

namespace warpbook {

/// What an instruction costs depends on its kind. Loads, stores and atomics have a space as well.
enum class InstructionKind : uint8_t {
  fp32,
  int32,  ///< add, compare, logic, shift, select, move
  imul,   ///< multiply and multiply-add of integers
  sfu,    ///< reciprocal, root, sine, exponential
  fp64,
  fp16,
  convert,
  tensor,
  load,
  store,
  atomic,
  shuffle,  ///< and votes
  branch,
  barrier,
  free,  ///< ptxas gives it no instruction of its own: moves, address casts, parameters
  other,
};
inline constexpr size_t instruction_kinds = size_t(InstructionKind::other) + 1;
enum class TracedSpace : uint8_t { none, global, shared, local, constant };

/// Addresses of an access that lie at or above these are of shared and of local memory, the rest is global.
inline constexpr uint64_t traced_shared_begin = 0x7000'0000'0000, traced_local_begin = 0x7800'0000'0000;

struct TracedInstruction {
  InstructionKind kind = InstructionKind::other;
  TracedSpace space = TracedSpace::none;
  uint8_t bytes = 0;       ///< a lane, of memory instructions
  uint8_t issues = 1;      ///< instructions that ptxas makes of it, about
  uint32_t flop = 0;       ///< floating-point operations a lane; of tensor instructions a warp
  int line = 0;            ///< of the learner's source
  uint32_t reads_end = 0;  ///< KernelTrace::operands[reads_first .. reads_end) are read,
  uint32_t reads_first = 0;
  uint32_t writes_end = 0;  ///< [reads_end .. writes_end) written
  int32_t base = -1;        ///< memory: register of the address, or -1
  int64_t offset = 0;       ///< memory: added to it
};

/// One warp's way, as words. A basic block: its number * 2, the lanes. An access: the instruction * 2 + 1,
/// the lanes, then an address each lane as next_access() reads them.
struct WarpTrace {
  std::vector<uint32_t> words;
  bool complete = true;  ///< false when the bound cut it
};

struct BlockTrace {
  uint64_t block = 0;  ///< linear
  std::vector<WarpTrace> warps;
};

struct KernelTrace {
  std::vector<TracedInstruction> instructions;
  std::vector<uint16_t> operands;  ///< registers, counted through all functions
  uint32_t registers = 0;
  struct BasicBlock {
    uint32_t first = 0, count = 0;
  };
  std::vector<BasicBlock> basic_blocks;
  std::vector<BlockTrace> blocks;  ///< ascending
  uint64_t grid_blocks = 0;
  bool complete = false;  ///< every block is here and none was cut
};

/// Reads a WarpTrace from its start.
struct TraceReader {
  const std::vector<uint32_t>& words;
  size_t at = 0;
  bool more() const { return at < words.size(); }
  bool at_access() const { return (words[at] & 1) != 0; }
  /// The basic block or instruction that comes next.
  uint32_t next_number() const { return words[at] >> 1; }
  uint32_t next_lanes() const { return words[at + 1]; }
  void skip_block() { at += 2; }
  /// The addresses of an access; those of other lanes are left alone.
  void read_access(std::array<uint64_t, 32>& addresses);
};

/// Appends to a warp's words.
void write_block(std::vector<uint32_t>& words, uint32_t number, uint32_t lanes);
void write_access(std::vector<uint32_t>& words, uint32_t instruction, uint32_t lanes,
                  const uint64_t* addresses);

}  // namespace warpbook
