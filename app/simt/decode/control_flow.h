#pragma once
// Basic blocks of a function, in the order in which they are numbered and stored.
//
// The order is a weak topological one (Bourdoncle 1993): a block comes after all that lead to it, except over
// the back edges of a loop; a loop's blocks lie together, its header first, and what follows the loop comes
// after all of it. So when a warp always runs its lanes with the lowest block first, lanes that parted meet
// again at the first block that all of them must pass.
//
// A loop with several back edges gets one more block at its end, which only jumps to the header: lanes that
// `continue` early wait there for the rest of the round.
#include <cstdint>
#include <span>
#include <vector>

#include "simt/ptx/module.h"

namespace warpbook::simt {

inline constexpr uint32_t no_block = ~0u;

struct FlowBlock {
  uint32_t first = 0, last = 0;      ///< in the function's body; `last` is one past the end
  std::vector<uint32_t> successors;  ///< block numbers
  uint32_t next = no_block;          ///< where it goes on when its last instruction does not decide
  bool needs_jump = false;           ///< it has no terminator: a jump to `next` has to be added
  bool needs_return = false;         ///< the end of a body without a final ret
};

struct ControlFlow {
  std::vector<FlowBlock> blocks;  ///< reachable ones, in order; [0] is the entry
  /// Instruction index (up to and with body.size()) -> the block that starts there; no_block when none does.
  std::vector<uint32_t> starting_at;
  /// By block: the jump-back block of the loop that it is the header of, or no_block.
  std::vector<uint32_t> latch;

  /// The block that a branch in block `from` to instruction `target` goes to; no_block when there is none.
  uint32_t destination(uint32_t from, uint32_t target) const;
};

/// `terminator` says for each instruction whether it ends a block.
ControlFlow control_flow(const ptx::Function& function, std::span<const uint8_t> terminator);

/// A graph as lists of successors. Returns the order described above of the nodes that node 0 reaches, and
/// for each loop header with several back edges the node that ends its loop.
struct WeakOrder {
  struct Loop {
    uint32_t header, last;
  };
  std::vector<uint32_t> order;
  std::vector<Loop> loops;  ///< those with several back edges, by their last node's place, inner ones first
};
WeakOrder weak_order(const std::vector<std::vector<uint32_t>>& successors);

}  // namespace warpbook::simt
