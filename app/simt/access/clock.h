#pragma once
// What a thread knows of all others: for each of them the moment up to which everything it did is ordered
// before what comes now. A vector clock, but a tree of blocks, warps and lanes: a block barrier is one number
// at the block's node, and threads that share what they know share the nodes. Clocks never change once made.
#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace warpbook::simt {

using Tick = uint32_t;

struct ClockNode;
/// Null knows nothing.
using Clock = std::shared_ptr<const ClockNode>;

struct ClockNode {
  Tick base = 0;                                    ///< known of everybody below
  std::vector<std::pair<uint8_t, Clock>> children;  ///< ascending
};

/// The way from the root to a block, a warp or a lane.
struct ClockPath {
  std::array<uint8_t, 9> steps{};
  uint32_t length = 0;
};

/// Blocks are reached by digits of five bits, as many as a launch's number of blocks needs.
class ClockShape {
 public:
  explicit ClockShape(uint64_t blocks = 1);
  ClockPath block(uint64_t number) const;
  ClockPath warp(uint64_t block, uint32_t warp) const;
  ClockPath lane(uint64_t block, uint32_t warp, int lane) const;

 private:
  uint32_t digits_ = 0;
};

/// What both know together.
Clock join(const Clock& a, const Clock& b);
/// `clock`, and everything below `path` up to `tick`.
Clock with(const Clock& clock, const ClockPath& path, Tick tick);
/// How far `clock` knows what lies at the end of `path`.
Tick known(const Clock& clock, const ClockPath& path);

}  // namespace warpbook::simt
