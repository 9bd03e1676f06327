// See control_flow.h.
#include "simt/decode/control_flow.h"

#include <algorithm>

namespace warpbook::simt {
namespace {

/// Instruction indices that a terminator may go to, other than the one behind it.
std::vector<uint32_t> branch_targets(const ptx::Function& function, const ptx::Instruction& instruction) {
  std::vector<uint32_t> targets;
  if (instruction.opcode == "bra") {
    for (const ptx::Operand& operand : instruction.operands) {
      if (operand.kind == ptx::Operand::Kind::label) targets.push_back(operand.index);
    }
  } else if (instruction.opcode == "brx") {
    for (const ptx::Operand& operand : instruction.operands) {
      const auto table = function.branch_targets.find(operand.name);
      if (table == function.branch_targets.end()) continue;
      for (const std::string& name : table->second) {
        const auto label = function.labels.find(name);
        if (label != function.labels.end()) targets.push_back(label->second);
      }
    }
  }
  std::erase_if(targets, [&](uint32_t t) { return t > function.body.size(); });
  return targets;
}

/// Whether control can also go to the instruction behind a terminator.
bool goes_on(const ptx::Instruction& instruction) {
  if (instruction.guard >= 0) return true;
  const std::string& o = instruction.opcode;
  return !(o == "bra" || o == "brx" || o == "ret" || o == "exit" || o == "trap") || instruction.malformed;
}

}  // namespace

uint32_t ControlFlow::destination(uint32_t from, uint32_t target) const {
  if (target >= starting_at.size()) return no_block;
  const uint32_t block = starting_at[target];
  if (block == no_block) return no_block;
  // From inside the loop the way to its header is by the jump-back block.
  const uint32_t back = latch[block];
  return back != no_block && from >= block && from < back ? back : block;
}

ControlFlow control_flow(const ptx::Function& function, std::span<const uint8_t> terminator) {
  const uint32_t size = uint32_t(function.body.size());
  std::vector<uint8_t> leader(size + 1, 0);
  leader[0] = leader[size] = 1;
  std::vector<std::vector<uint32_t>> targets(size);
  for (uint32_t i = 0; i < size; ++i) {
    if (!terminator[i]) continue;
    leader[i + 1] = 1;
    targets[i] = branch_targets(function, function.body[i]);
    for (const uint32_t t : targets[i]) leader[t] = 1;
  }

  // Blocks in program order; the last one is the empty block behind the body.
  std::vector<FlowBlock> plain;
  std::vector<uint32_t> block_at(size + 1, no_block);
  for (uint32_t i = 0; i <= size; ++i) {
    if (leader[i]) {
      block_at[i] = uint32_t(plain.size());
      plain.push_back({i, i, {}, no_block, false, false});
    }
    if (i < size) plain.back().last = i + 1;
  }
  std::vector<std::vector<uint32_t>> successors(plain.size());
  for (uint32_t b = 0; b < plain.size(); ++b) {
    FlowBlock& block = plain[b];
    if (block.first == size) {
      block.needs_return = true;
      continue;
    }
    const uint32_t end = block.last - 1;
    const bool ends = terminator[end] != 0;
    if (ends) {
      for (const uint32_t t : targets[end]) successors[b].push_back(block_at[t]);
    }
    if (!ends || goes_on(function.body[end])) {
      block.needs_jump = !ends;
      successors[b].push_back(block_at[block.last]);
    }
    std::sort(successors[b].begin(), successors[b].end());
    successors[b].erase(std::unique(successors[b].begin(), successors[b].end()), successors[b].end());
  }

  const WeakOrder weak = weak_order(successors);
  ControlFlow flow;
  flow.starting_at.assign(size + 1, no_block);
  std::vector<std::pair<uint32_t, uint32_t>> latches;  // header (plain), place
  size_t next_loop = 0;
  // Loops come with their last node in order of completion, inner before outer, so one walk places their
  // latches.
  for (const uint32_t node : weak.order) {
    flow.starting_at[plain[node].first] = uint32_t(flow.blocks.size());
    flow.blocks.push_back(std::move(plain[node]));
    for (; next_loop < weak.loops.size() && weak.loops[next_loop].last == node; ++next_loop) {
      latches.emplace_back(weak.loops[next_loop].header, uint32_t(flow.blocks.size()));
      flow.blocks.emplace_back();
    }
  }
  flow.latch.assign(flow.blocks.size(), no_block);
  for (const auto& [header, place] : latches) {
    const uint32_t at = plain[header].first;
    FlowBlock& block = flow.blocks[place];
    block.first = block.last = at;
    block.next = flow.starting_at[at];
    block.needs_jump = true;
    block.successors.push_back(block.next);
    flow.latch[block.next] = place;
  }
  for (uint32_t b = 0; b < flow.blocks.size(); ++b) {
    FlowBlock& block = flow.blocks[b];
    if (block.needs_return || !block.successors.empty()) continue;
    const uint32_t end = block.last - 1;
    auto add = [&](uint32_t instruction) {
      const uint32_t to = flow.destination(b, instruction);
      if (std::find(block.successors.begin(), block.successors.end(), to) == block.successors.end()) {
        block.successors.push_back(to);
      }
      return to;
    };
    if (terminator[end]) {
      for (const uint32_t t : targets[end]) add(t);
    }
    if (!terminator[end] || goes_on(function.body[end])) block.next = add(block.last);
  }
  return flow;
}

}  // namespace warpbook::simt
