// See call_graph.h.
#include "simt/decode/call_graph.h"

#include <algorithm>
#include <unordered_map>

namespace warpbook::simt {

CallGraph::CallGraph(const ptx::Module& module) {
  const uint32_t count = uint32_t(module.functions.size());
  const uint32_t any = count;
  std::unordered_map<std::string_view, uint32_t> by_name;
  for (uint32_t f = 0; f < count; ++f) by_name.emplace(module.functions[f].name, f);
  callees_.resize(count + 1);
  std::vector<uint8_t> address_taken(count, 0);
  auto take = [&](std::string_view name) {
    if (const auto f = by_name.find(name); f != by_name.end()) address_taken[f->second] = 1;
  };
  for (const ptx::Variable& variable : module.variables) {
    for (const auto& relocation : variable.relocations) take(relocation.symbol);
  }
  for (uint32_t f = 0; f < count; ++f) {
    for (const ptx::Instruction& instruction : module.functions[f].body) {
      const bool call = instruction.opcode == "call";
      // call (results), callee, (arguments), prototype: results may be missing.
      size_t callee = 0;
      if (call && !instruction.operands.empty() && instruction.operands[0].kind == ptx::Operand::Kind::list)
        callee = 1;
      for (size_t i = 0; i < instruction.operands.size(); ++i) {
        const ptx::Operand& operand = instruction.operands[i];
        if (!call || i != callee) {
          visit_symbols(operand, take);
        } else if (operand.kind == ptx::Operand::Kind::symbol) {
          if (const auto known = by_name.find(operand.name); known != by_name.end()) {
            callees_[f].push_back(known->second);
          }
        } else {
          callees_[f].push_back(any);
        }
      }
    }
    std::sort(callees_[f].begin(), callees_[f].end());
    callees_[f].erase(std::unique(callees_[f].begin(), callees_[f].end()), callees_[f].end());
  }
  for (uint32_t f = 0; f < count; ++f) {
    if (address_taken[f]) callees_[any].push_back(f);
  }
}

std::vector<uint32_t> CallGraph::reachable(uint32_t function) const {
  std::vector<uint8_t> seen(nodes(), 0);
  std::vector<uint32_t> stack{function}, found;
  seen[function] = 1;
  while (!stack.empty()) {
    const uint32_t f = stack.back();
    stack.pop_back();
    if (f + 1 < nodes()) found.push_back(f);
    for (const uint32_t callee : callees_[f]) {
      if (!seen[callee]) seen[callee] = 1, stack.push_back(callee);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<uint8_t> CallGraph::recursive() const {
  // Strongly connected components (Tarjan, without recursion): a function is recursive when it shares one
  // with another node or calls itself.
  std::vector<uint8_t> result(nodes(), 0), done(nodes(), 0);
  std::vector<uint32_t> index(nodes(), 0), low(nodes(), 0), open;
  struct Visit {
    uint32_t node;
    size_t next;
  };
  std::vector<Visit> visits;
  uint32_t counter = 0;
  for (uint32_t start = 0; start < nodes(); ++start) {
    if (index[start]) continue;
    visits.push_back({start, 0});
    index[start] = low[start] = ++counter;
    open.push_back(start);
    while (!visits.empty()) {
      Visit& visit = visits.back();
      const uint32_t node = visit.node;
      if (visit.next < callees_[node].size()) {
        const uint32_t callee = callees_[node][visit.next++];
        if (callee == node) result[node] = 1;
        if (!index[callee]) {
          index[callee] = low[callee] = ++counter;
          open.push_back(callee);
          visits.push_back({callee, 0});
        } else if (!done[callee]) {
          low[node] = std::min(low[node], index[callee]);
        }
        continue;
      }
      visits.pop_back();
      if (!visits.empty()) low[visits.back().node] = std::min(low[visits.back().node], low[node]);
      if (low[node] != index[node]) continue;
      const bool several = open.back() != node;
      for (;;) {
        const uint32_t member = open.back();
        open.pop_back();
        done[member] = 1;
        if (several) result[member] = 1;
        if (member == node) break;
      }
    }
  }
  result.pop_back();
  return result;
}

}  // namespace warpbook::simt
