// The layout of a block's shared memory: packed in the order of declaration, the dynamic array at the end,
// and each array in a virtual window of its own, so that leaving one never reaches the next unseen.
#include <algorithm>
#include <set>
#include <string_view>

#include "simt/access/launch.h"

namespace warpbook::simt {
namespace {

uint32_t round_up(uint64_t value, uint32_t to) { return uint32_t((value + to - 1) / to * to); }

void collect_names(const ptx::Operand& operand, std::set<std::string_view>& names) {
  if (!operand.name.empty()) names.insert(operand.name);
  for (const auto& part : operand.parts) collect_names(part, names);
}

/// Every function that the kernel can reach. A call through a pointer may reach any.
std::vector<const ptx::Function*> reachable(const ptx::Module& module, const ptx::Function& kernel,
                                            std::set<std::string_view>& names) {
  std::vector<const ptx::Function*> found{&kernel};
  std::set<const ptx::Function*> seen{&kernel};
  const auto reach = [&](const ptx::Function& f) {
    if (seen.insert(&f).second) found.push_back(&f);
  };
  bool through_pointers = false;
  for (size_t i = 0; i < found.size(); ++i) {
    for (const auto& instruction : found[i]->body) {
      std::set<std::string_view> here;
      for (const auto& operand : instruction.operands) collect_names(operand, here);
      bool direct = false;
      for (const auto name : here) {
        if (const ptx::Function* f = module.function(name)) {
          direct = true;
          reach(*f);
        }
      }
      if (instruction.opcode == "call" && !direct && !through_pointers) {
        through_pointers = true;
        for (const auto& f : module.functions) {
          if (!f.entry) reach(f);
        }
      }
      names.insert(here.begin(), here.end());
    }
  }
  return found;
}

}  // namespace

void lay_out_shared(MemoryLaunch& launch, const ptx::Module& module, const ptx::Function& kernel) {
  std::set<std::string_view> names;
  const auto functions = reachable(module, kernel, names);
  std::vector<const ptx::Variable*> fixed, dynamic;
  const auto take = [&](const ptx::Variable& v) {
    if (v.space != ptx::Space::shared || !names.contains(v.name)) return;
    (v.bytes == 0 ? dynamic : fixed).push_back(&v);
  };
  for (const auto& v : module.variables) take(v);
  for (const auto* f : functions) {
    for (const auto& v : f->locals) take(v);
  }

  uint32_t end = 0;
  const auto add = [&](const ptx::Variable& v, uint32_t offset, uint32_t bytes) {
    SharedArray a;
    a.name = v.display.empty() ? v.name : v.display;
    a.offset = offset;
    a.bytes = bytes;
    // The dynamic array's alignment is that of the whole region and tells nothing of its elements.
    a.element_bytes = v.bytes == 0 ? uint32_t(std::max(1, ptx::bits_of(v.type) / 8)) : element_bytes_of(v);
    launch.arrays.push_back(a);
    launch.array_symbols.push_back(v.name);
  };
  for (const auto* v : fixed) {
    const uint32_t offset = round_up(end, std::max<uint32_t>(1, v->alignment));
    add(*v, offset, uint32_t(v->bytes));
    end = offset + uint32_t(v->bytes);
  }
  launch.static_bytes = end;
  launch.first_dynamic = launch.arrays.size();
  for (const auto* v : dynamic)
    end = std::max(end, round_up(launch.static_bytes, std::max<uint32_t>(1, v->alignment)));
  for (const auto* v : dynamic) add(*v, end, launch.launch.shared_bytes);
  launch.total_bytes = end + launch.launch.shared_bytes;

  // Compilers compute shared addresses in 32 bits: the windows share these 4 GiB, an array a quarter into its
  // own.
  launch.array_shift = 30;
  while (launch.array_shift > 20 && (uint64_t(launch.arrays.size()) << launch.array_shift) > (1ull << 32)) {
    --launch.array_shift;
  }
  for (size_t i = 0; i < launch.arrays.size(); ++i) {
    SharedArray& a = launch.arrays[i];
    a.address = shared_window + (uint64_t(i) << launch.array_shift) + (1ull << (launch.array_shift - 2)) +
                a.offset % 128;
  }
}

}  // namespace warpbook::simt
