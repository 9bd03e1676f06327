// Bourdoncle's order: strongly connected components in topological order; inside one, its header, then the
// same again for the rest. Ties go by program order, so code that is already in order stays as it is.
#include <algorithm>
#include <functional>
#include <queue>

#include "simt/decode/control_flow.h"

namespace warpbook::simt {
namespace {

/// Hostile text can nest loops without end; below this depth program order has to do.
constexpr int deepest_nesting = 200;

class Orderer {
 public:
  explicit Orderer(const std::vector<std::vector<uint32_t>>& successors)
      : successors_(successors),
        group_(successors.size(), 0),
        index_(successors.size(), 0),
        low_(successors.size(), 0),
        component_(successors.size(), 0),
        predecessors_(successors.size()) {}

  WeakOrder run() {
    std::vector<uint32_t> reached = reachable();
    for (const uint32_t node : reached) {
      group_[node] = 1;
      for (const uint32_t s : successors_[node]) predecessors_[s].push_back(node);
    }
    groups_ = 1;
    order_group(std::move(reached), 0);
    return std::move(result_);
  }

 private:
  std::vector<uint32_t> reachable() const {
    std::vector<uint8_t> seen(successors_.size(), 0);
    std::vector<uint32_t> stack, found;
    if (!successors_.empty()) stack.push_back(0), seen[0] = 1;
    while (!stack.empty()) {
      const uint32_t node = stack.back();
      stack.pop_back();
      found.push_back(node);
      for (const uint32_t s : successors_[node]) {
        if (!seen[s]) seen[s] = 1, stack.push_back(s);
      }
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  /// Components of the nodes of one group, numbered from 0 (Tarjan, without recursion).
  std::vector<std::vector<uint32_t>> components(const std::vector<uint32_t>& nodes) {
    const uint32_t group = group_[nodes.front()];
    std::vector<std::vector<uint32_t>> found;
    std::vector<uint32_t> open;
    struct Visit {
      uint32_t node;
      size_t next;
    };
    std::vector<Visit> visits;
    uint32_t counter = 0;
    for (const uint32_t node : nodes) index_[node] = 0, component_[node] = no_block;
    for (const uint32_t start : nodes) {
      if (index_[start]) continue;
      visits.push_back({start, 0});
      index_[start] = low_[start] = ++counter;
      open.push_back(start);
      while (!visits.empty()) {
        Visit& visit = visits.back();
        const uint32_t node = visit.node;
        if (visit.next < successors_[node].size()) {
          const uint32_t s = successors_[node][visit.next++];
          if (group_[s] != group) continue;
          if (!index_[s]) {
            index_[s] = low_[s] = ++counter;
            open.push_back(s);
            visits.push_back({s, 0});
          } else if (component_[s] == no_block) {
            low_[node] = std::min(low_[node], index_[s]);
          }
          continue;
        }
        visits.pop_back();
        if (!visits.empty()) low_[visits.back().node] = std::min(low_[visits.back().node], low_[node]);
        if (low_[node] != index_[node]) continue;
        std::vector<uint32_t>& members = found.emplace_back();
        for (;;) {
          const uint32_t member = open.back();
          open.pop_back();
          component_[member] = uint32_t(found.size() - 1);
          members.push_back(member);
          if (member == node) break;
        }
        std::sort(members.begin(), members.end());
      }
    }
    return found;
  }

  void order_group(std::vector<uint32_t> nodes, int depth) {
    if (nodes.empty()) return;
    if (depth > deepest_nesting) {
      result_.order.insert(result_.order.end(), nodes.begin(), nodes.end());
      return;
    }
    const uint32_t group = group_[nodes.front()];
    std::vector<std::vector<uint32_t>> parts = components(nodes);
    std::vector<uint32_t> waiting(parts.size(), 0);
    auto across = [&](uint32_t node, auto&& what) {
      for (const uint32_t s : successors_[node]) {
        if (group_[s] == group && component_[s] != component_[node]) what(component_[s]);
      }
    };
    for (const uint32_t node : nodes) across(node, [&](uint32_t c) { ++waiting[c]; });
    // Ready components, the one that comes first in the program first.
    using Ready = std::pair<uint32_t, uint32_t>;
    std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
    for (uint32_t c = 0; c < parts.size(); ++c) {
      if (waiting[c] == 0) ready.emplace(parts[c].front(), c);
    }
    std::vector<uint32_t> sequence;
    while (!ready.empty()) {
      const uint32_t c = ready.top().second;
      ready.pop();
      sequence.push_back(c);
      for (const uint32_t node : parts[c]) {
        across(node, [&](uint32_t to) {
          if (--waiting[to] == 0) ready.emplace(parts[to].front(), to);
        });
      }
    }
    // Going down changes the scratch arrays of the nodes inside a part only, and each part is done once.
    for (const uint32_t c : sequence) order_part(std::move(parts[c]), depth);
  }

  void order_part(std::vector<uint32_t> members, int depth) {
    if (members.size() == 1) {
      // A block that loops to itself has one back edge and nothing inside.
      result_.order.push_back(members.front());
      return;
    }
    const uint32_t inside = ++groups_;
    for (const uint32_t node : members) group_[node] = inside;
    uint32_t header = no_block;
    for (const uint32_t node : members) {
      bool entered = node == 0;
      for (const uint32_t p : predecessors_[node]) entered |= group_[p] != inside;
      if (entered) {
        header = node;
        break;
      }
    }
    if (header == no_block) header = members.front();
    uint32_t back_edges = 0;
    for (const uint32_t p : predecessors_[header]) back_edges += group_[p] == inside;
    result_.order.push_back(header);
    std::erase(members, header);
    group_[header] = 0;
    order_group(std::move(members), depth + 1);
    if (back_edges > 1) result_.loops.push_back({header, result_.order.back()});
  }

  const std::vector<std::vector<uint32_t>>& successors_;
  std::vector<uint32_t> group_;  ///< of the subgraph being ordered; 0 = none
  std::vector<uint32_t> index_, low_, component_;
  std::vector<std::vector<uint32_t>> predecessors_;
  uint32_t groups_ = 0;
  WeakOrder result_;
};

}  // namespace

WeakOrder weak_order(const std::vector<std::vector<uint32_t>>& successors) {
  return Orderer(successors).run();
}

}  // namespace warpbook::simt
