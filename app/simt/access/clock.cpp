// Joining keeps nodes that one side already knows better, so that a clock handed on from thread to thread is
// mostly the same tree.
#include "simt/access/clock.h"

#include <algorithm>

namespace warpbook::simt {
namespace {

const Clock* child_of(const ClockNode& node, uint8_t step) {
  const auto at = std::lower_bound(node.children.begin(), node.children.end(), step,
                                   [](const auto& child, uint8_t s) { return child.first < s; });
  return at != node.children.end() && at->first == step ? &at->second : nullptr;
}

Clock with(const Clock& clock, const ClockPath& path, uint32_t depth, Tick tick) {
  if (clock && clock->base >= tick) return clock;
  auto node = clock ? std::make_shared<ClockNode>(*clock) : std::make_shared<ClockNode>();
  if (depth == path.length) {
    node->base = tick;
    return node;
  }
  const uint8_t step = path.steps[depth];
  const auto at = std::lower_bound(node->children.begin(), node->children.end(), step,
                                   [](const auto& child, uint8_t s) { return child.first < s; });
  if (at != node->children.end() && at->first == step) {
    Clock below = with(at->second, path, depth + 1, tick);
    if (below == at->second) return clock;
    at->second = std::move(below);
  } else {
    node->children.insert(at, {step, with(nullptr, path, depth + 1, tick)});
  }
  return node;
}

}  // namespace

ClockShape::ClockShape(uint64_t blocks) {
  for (uint64_t reach = 1; reach < blocks && digits_ < 7; reach *= 32) ++digits_;
}

ClockPath ClockShape::block(uint64_t number) const {
  ClockPath path;
  path.length = digits_;
  for (uint32_t i = digits_; i > 0; --i, number /= 32) path.steps[i - 1] = uint8_t(number % 32);
  return path;
}
ClockPath ClockShape::warp(uint64_t number, uint32_t warp) const {
  ClockPath path = block(number);
  path.steps[path.length++] = uint8_t(warp);
  return path;
}
ClockPath ClockShape::lane(uint64_t number, uint32_t warp_index, int lane) const {
  ClockPath path = warp(number, warp_index);
  path.steps[path.length++] = uint8_t(lane);
  return path;
}

Clock with(const Clock& clock, const ClockPath& path, Tick tick) {
  return tick == 0 ? clock : with(clock, path, 0, tick);
}

Clock join(const Clock& a, const Clock& b) {
  if (a == b || !b) return a;
  if (!a) return b;
  auto node = std::make_shared<ClockNode>();
  node->base = std::max(a->base, b->base);
  node->children.reserve(std::max(a->children.size(), b->children.size()));
  bool is_a = node->base == a->base, is_b = node->base == b->base;
  auto x = a->children.begin();
  auto y = b->children.begin();
  while (x != a->children.end() || y != b->children.end()) {
    const bool left = y == b->children.end() || (x != a->children.end() && x->first <= y->first);
    const bool right = x == a->children.end() || (y != b->children.end() && y->first <= x->first);
    Clock child = left && right ? join(x->second, y->second) : left ? x->second : y->second;
    is_a = is_a && left && child == x->second;
    is_b = is_b && right && child == y->second;
    node->children.push_back({left ? x->first : y->first, std::move(child)});
    if (left) ++x;
    if (right) ++y;
  }
  if (is_a) return a;
  if (is_b) return b;
  return node;
}

Tick known(const Clock& clock, const ClockPath& path) {
  Tick tick = 0;
  const ClockNode* node = clock.get();
  for (uint32_t depth = 0; node; ++depth) {
    tick = std::max(tick, node->base);
    if (depth == path.length) break;
    const Clock* child = child_of(*node, path.steps[depth]);
    node = child ? child->get() : nullptr;
  }
  return tick;
}

}  // namespace warpbook::simt
