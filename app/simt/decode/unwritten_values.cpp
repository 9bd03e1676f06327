// See unwritten_values.h. Definite assignment by a forward pass over the basic blocks, then copies and
// addresses without regard to order, until nothing changes.
#include "simt/decode/unwritten_values.h"

#include <algorithm>
#include <optional>

#include "simt/decode/control_flow.h"
#include "simt/decode/register_use.h"
#include "simt/decode/slots.h"

namespace warpbook::simt {
namespace {

using ptx::Operand;

/// Beyond this many words for the sets of a function nothing is followed.
constexpr size_t most_words = size_t(1) << 22;

const Family* family_of(std::span<const Family> families, std::string_view opcode) {
  const auto found = std::lower_bound(families.begin(), families.end(), opcode,
                                      [](const Family& f, std::string_view name) { return f.opcode < name; });
  return found != families.end() && found->opcode == opcode ? &*found : nullptr;
}

class DefiniteAssignment {
 public:
  DefiniteAssignment(const ptx::Function& function, std::span<const Family> families) : function_(function) {
    std::vector<uint8_t> terminators(function.body.size(), 0);
    for (const ptx::Instruction& instruction : function.body) {
      families_.push_back(instruction.malformed ? nullptr : family_of(families, instruction.opcode));
      terminators[families_.size() - 1] = families_.back() && families_.back()->terminator;
    }
    flow_ = control_flow(function, terminators);
    words_ = (function.registers.size() + 63) / 64;
  }

  /// Marks the registers that some path reads before it has written them. False: too large.
  bool run(std::vector<uint8_t>& early) {
    if (flow_.blocks.size() * words_ > most_words) return false;
    in_.assign(flow_.blocks.size() * words_, ~uint64_t(0));
    if (!flow_.blocks.empty()) std::fill(in_.begin(), in_.begin() + std::ptrdiff_t(words_), 0);
    std::vector<uint64_t> state(words_);
    for (bool changed = true; changed;) {
      changed = false;
      for (uint32_t b = 0; b < flow_.blocks.size(); ++b) {
        pass(b, state, nullptr);
        for (const uint32_t next : flow_.blocks[b].successors) {
          for (size_t w = 0; w < words_; ++w) {
            const uint64_t both = in_[next * words_ + w] & state[w];
            if (both != in_[next * words_ + w]) in_[next * words_ + w] = both, changed = true;
          }
        }
      }
    }
    for (uint32_t b = 0; b < flow_.blocks.size(); ++b) pass(b, state, &early);
    return true;
  }

 private:
  void pass(uint32_t b, std::vector<uint64_t>& state, std::vector<uint8_t>* early) const {
    std::copy_n(in_.begin() + std::ptrdiff_t(b * words_), words_, state.begin());
    const FlowBlock& block = flow_.blocks[b];
    for (uint32_t i = block.first; i < block.last; ++i) {
      const bool guarded = function_.body[i].guard >= 0;
      visit_registers(function_.body[i], families_[i], [&](uint32_t r, bool written) {
        const uint64_t bit = uint64_t(1) << (r % 64);
        if (!written) {
          if (early && !(state[r / 64] & bit)) (*early)[r] = 1;
        } else if (!guarded) {
          state[r / 64] |= bit;
        }
      });
    }
  }

  const ptx::Function& function_;
  std::vector<const Family*> families_;
  ControlFlow flow_;
  size_t words_ = 0;
  std::vector<uint64_t> in_;
};

bool names_depot(const Operand& operand) {
  return operand.kind == Operand::Kind::symbol && operand.name.rfind("__local_depot", 0) == 0;
}

/// Instructions that compute addresses from addresses.
bool keeps_addresses(const std::string& opcode) {
  static constexpr std::string_view kept[] = {"mov", "cvta", "add", "sub", "selp", "mad"};
  return std::find(std::begin(kept), std::end(kept), opcode) != std::end(kept);
}

template <class F>
void each_part(const Operand& operand, F f) {
  if (operand.kind == Operand::Kind::reg) f(operand.index);
  for (const Operand& part : operand.parts) each_part(part, f);
}

/// A store of a bit field reads the word around it, which may well be unwritten: `and` with a mask, perhaps
/// `or` with the field, store. Registers that are used for nothing else hold bits, no value of the program's.
void find_merged(const ptx::Function& function, std::span<const Family> families,
                 std::vector<uint8_t>& merged) {
  const size_t count = function.registers.size();
  std::vector<uint32_t> uses(count, 0), stores(count, 0), merges(count, 0);
  merged.assign(count, 0);
  for (const ptx::Instruction& instruction : function.body) {
    if (instruction.malformed) continue;
    visit_registers(instruction, family_of(families, instruction.opcode), [&](uint32_t r, bool written) {
      if (!written) ++uses[r];
    });
    if (instruction.opcode == "st" && instruction.operands.size() == 2 &&
        instruction.operands[1].kind == Operand::Kind::reg)
      ++stores[instruction.operands[1].index];
  }
  const auto target = [](const ptx::Instruction& instruction, std::string_view opcode) -> const Operand* {
    const bool fits = instruction.opcode == opcode && instruction.operands.size() == 3 &&
                      instruction.operands[0].kind == Operand::Kind::reg;
    return fits ? &instruction.operands[0] : nullptr;
  };
  for (const ptx::Instruction& instruction : function.body) {
    const Operand* to = target(instruction, "or");
    if (!to || uses[to->index] == 0 || uses[to->index] != stores[to->index]) continue;
    merged[to->index] = 1;
    for (size_t k = 1; k <= 2; ++k)
      if (instruction.operands[k].kind == Operand::Kind::reg) ++merges[instruction.operands[k].index];
  }
  for (const ptx::Instruction& instruction : function.body) {
    const Operand* to = target(instruction, "and");
    if (!to || instruction.operands[2].kind != Operand::Kind::immediate || uses[to->index] == 0) continue;
    if (uses[to->index] == stores[to->index] + merges[to->index]) merged[to->index] = 1;
  }
}

class Spread {
 public:
  explicit Spread(const ptx::Module& module, UnwrittenValues& values) : module_(module), values_(values) {}

  void run() {
    for (changed_ = true; changed_;) {
      changed_ = false;
      for (size_t f = 0; f < module_.functions.size(); ++f) {
        const ptx::Function& function = module_.functions[f];
        if (function.declared_only) continue;
        for (const ptx::Instruction& instruction : function.body) {
          if (!instruction.malformed) step(function, uint32_t(f), instruction);
        }
      }
    }
  }

 private:
  void set(uint8_t& flag) {
    if (!flag) flag = 1, changed_ = true;
  }
  void set(bool& flag) {
    if (!flag) flag = true, changed_ = true;
  }

  void step(const ptx::Function& function, uint32_t index, const ptx::Instruction& instruction) {
    auto& here = values_.functions[index];
    const auto& operands = instruction.operands;
    if (instruction.opcode == "ld" && operands.size() == 2) {
      const bool unwritten = values_.loads_unwritten(function, index, instruction);
      const bool parameter = instruction.has("param");
      const bool pointer =
          parameter ? !function.entry && values_.local_in_parameters : values_.local_in_memory;
      each_part(operands[0], [&](uint32_t r) {
        if (unwritten) set(here.followed[r]);
        if (pointer && pool_of(function.registers[r].type) == Pool::wide) set(here.local[r]);
      });
      return;
    }
    if (instruction.opcode == "st" && operands.size() == 2) {
      each_part(operands[1], [&](uint32_t r) {
        if (here.followed[r] && instruction.has("param")) set(values_.parameters);
        if (here.local[r])
          set(instruction.has("param") ? values_.local_in_parameters : values_.local_in_memory);
      });
      return;
    }
    if (operands.empty() || operands[0].kind != Operand::Kind::reg) return;
    const uint32_t to = operands[0].index;
    if (is_copy(function, instruction) && here.followed[operands[1].index]) set(here.followed[to]);
    if ((instruction.opcode == "and" || instruction.opcode == "or") && here.merged[to]) {
      for (size_t k = 1; k < operands.size(); ++k)
        if (operands[k].kind == Operand::Kind::reg && here.followed[operands[k].index])
          set(here.followed[to]);
    }
    if (instruction.opcode == "selp" && operands.size() == 4) {
      for (int side = 1; side <= 2; ++side) {
        const Operand& from = operands[size_t(side)];
        if (from.kind == Operand::Kind::reg && here.followed[from.index]) set(here.followed[to]);
      }
    }
    if (keeps_addresses(instruction.opcode) && pool_of(function.registers[to].type) == Pool::wide) {
      for (size_t k = 1; k < operands.size(); ++k) {
        const Operand& from = operands[k];
        const bool local = names_depot(from) || (from.kind == Operand::Kind::reg && here.local[from.index]);
        if (local) set(here.local[to]);
      }
    }
  }

  const ptx::Module& module_;
  UnwrittenValues& values_;
  bool changed_ = false;
};

}  // namespace

uint64_t bits_used(const ptx::Instruction& instruction, size_t k) {
  const auto constant = [&](size_t at) -> std::optional<uint64_t> {
    if (at >= instruction.operands.size() || instruction.operands[at].kind != Operand::Kind::immediate)
      return std::nullopt;
    return instruction.operands[at].bits;
  };
  const auto low = [](uint64_t count) { return count >= 64 ? ~uint64_t(0) : (uint64_t(1) << count) - 1; };
  if (k != 1) return ~uint64_t(0);
  if (instruction.opcode == "and") return constant(2).value_or(~uint64_t(0));
  if (instruction.opcode == "shr") return ~low(constant(2).value_or(0));
  if (instruction.opcode == "shl") {
    const auto width = uint64_t(ptx::bits_of(instruction.type()));
    return low(width - std::min(width, constant(2).value_or(0)));
  }
  if (instruction.opcode == "bfe") {
    const auto first = constant(2), length = constant(3);
    if (first && length && *first < 64) return low(*length) << *first;
  }
  return ~uint64_t(0);
}

bool is_copy(const ptx::Function& function, const ptx::Instruction& instruction) {
  if (instruction.opcode != "mov" || instruction.operands.size() != 2) return false;
  const Operand& to = instruction.operands[0];
  const Operand& from = instruction.operands[1];
  return to.kind == Operand::Kind::reg && from.kind == Operand::Kind::reg &&
         pool_of(function.registers[to.index].type) == pool_of(function.registers[from.index].type);
}

bool UnwrittenValues::loads_unwritten(const ptx::Function& function, uint32_t index,
                                      const ptx::Instruction& load) const {
  const Operand& address = load.operands[1];
  if (address.kind != Operand::Kind::address || address.parts.size() != 1) return false;
  const Operand& base = address.parts[0];
  if (load.has("param")) {
    if (!parameters) return false;
    // A kernel's own parameters are always there; results of calls are variables of their own.
    for (const ptx::Variable& p : function.parameters) {
      if (function.entry && p.name == base.name) return false;
    }
    return true;
  }
  if (load.has("global") || load.has("shared") || load.has("const")) return false;
  if (names_depot(base)) return true;
  return base.kind == Operand::Kind::reg && functions[index].local[base.index];
}

UnwrittenValues unwritten_values(const ptx::Module& module, std::span<const Family> families) {
  UnwrittenValues values;
  values.functions.resize(module.functions.size());
  for (size_t f = 0; f < module.functions.size(); ++f) {
    const ptx::Function& function = module.functions[f];
    values.functions[f].followed.assign(function.registers.size(), 0);
    values.functions[f].local.assign(function.registers.size(), 0);
    find_merged(function, families, values.functions[f].merged);
    if (function.declared_only) continue;
    if (!DefiniteAssignment(function, families).run(values.functions[f].followed)) values.usable = false;
  }
  if (!values.usable) return values;
  Spread(module, values).run();
  return values;
}

}  // namespace warpbook::simt
