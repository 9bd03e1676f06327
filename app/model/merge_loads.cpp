#include "model/merge_loads.h"

#include <algorithm>

namespace warpbook {

namespace {

constexpr uint32_t widest = 16;  // bytes, ld.v4.f32

struct Open {
  uint32_t instruction = 0;
  int64_t offset = 0;
};

/// Accesses that may still be joined: one base, space, kind and size.
struct Group {
  const TracedInstruction* like = nullptr;
  std::vector<Open> members;
};

void close(Group& group, std::vector<MergedAccess>& merged) {
  std::vector<Open>& members = group.members;
  std::sort(members.begin(), members.end(), [](const Open& a, const Open& b) { return a.offset < b.offset; });
  const int64_t size = group.like->bytes;
  for (size_t i = 0; i < members.size();) {
    size_t run = 1;
    for (const uint32_t bytes : {widest, widest / 2}) {
      const size_t wanted = bytes / size_t(size);
      if (wanted < 2 || members[i].offset % int64_t(bytes) != 0 || i + wanted > members.size()) continue;
      bool neighbours = true;
      for (size_t k = 1; k < wanted; ++k)
        neighbours = neighbours && members[i + k].offset == members[i].offset + int64_t(k) * size;
      if (!neighbours) continue;
      run = wanted;
      break;
    }
    if (run > 1) {
      uint32_t leader = members[i].instruction;
      int64_t leader_offset = members[i].offset;
      for (size_t k = 1; k < run; ++k)
        if (members[i + k].instruction < leader) {
          leader = members[i + k].instruction;
          leader_offset = members[i + k].offset;
        }
      for (size_t k = 0; k < run; ++k) {
        MergedAccess& one = merged[members[i + k].instruction];
        one.role =
            members[i + k].instruction == leader ? MergedAccess::Role::leader : MergedAccess::Role::follower;
        one.leader = leader;
        one.bytes = uint8_t(size * int64_t(run));
        one.first_offset = members[i].offset - leader_offset;
      }
    }
    i += run;
  }
  members.clear();
}

bool same_family(const TracedInstruction& a, const TracedInstruction& b) {
  return a.kind == b.kind && a.space == b.space && a.bytes == b.bytes && a.base == b.base;
}

bool touches_memory(const TracedInstruction& one) {
  return one.kind == InstructionKind::load || one.kind == InstructionKind::store ||
         one.kind == InstructionKind::atomic;
}

}  // namespace

std::vector<MergedAccess> merge_neighbours(const KernelTrace& trace) {
  std::vector<MergedAccess> merged(trace.instructions.size());
  std::vector<Group> groups;
  const auto close_all = [&](auto&& which) {
    for (Group& group : groups)
      if (which(group)) close(group, merged);
    std::erase_if(groups, [](const Group& group) { return group.members.empty(); });
  };
  for (const KernelTrace::BasicBlock& block : trace.basic_blocks) {
    for (uint32_t i = block.first; i < block.first + block.count; ++i) {
      const TracedInstruction& one = trace.instructions[i];
      if (touches_memory(one)) {
        // Another kind of access to the same memory: what was open may not move over it.
        close_all([&](const Group& group) {
          const bool writes = one.kind != InstructionKind::load || group.like->kind != InstructionKind::load;
          return writes && group.like->space == one.space && !same_family(*group.like, one);
        });
      } else if (one.kind == InstructionKind::barrier || one.kind == InstructionKind::other) {
        close_all([](const Group&) { return true; });
      }
      const bool joins = (one.kind == InstructionKind::load || one.kind == InstructionKind::store) &&
                         one.base >= 0 && one.bytes >= 4 && one.bytes < widest &&
                         one.space == TracedSpace::shared;
      if (joins) {
        const auto group = std::find_if(groups.begin(), groups.end(),
                                        [&](const Group& g) { return same_family(*g.like, one); });
        if (group == groups.end()) {
          groups.push_back({&one, {{i, one.offset}}});
        } else {
          group->members.push_back({i, one.offset});
        }
      }
      // Registers that are written end the groups that stand on them.
      for (uint32_t k = one.reads_end; k < one.writes_end; ++k)
        close_all([&](const Group& group) { return group.like->base == int32_t(trace.operands[k]); });
    }
    close_all([](const Group&) { return true; });
  }
  return merged;
}

}  // namespace warpbook
