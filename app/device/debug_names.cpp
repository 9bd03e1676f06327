// See debug_names.h. An address in local memory says little by itself, since one past the end of an array is
// another variable: what counts is the place that the address was computed from.
#include "device/debug_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "device/debug_text.h"

namespace warpbook {

namespace {

constexpr int deepest = 32;

/// Instruction of a label; nothing when the function has no such label.
std::optional<uint32_t> place_of(const ptx::Function& function, const std::string& label) {
  const auto found = function.labels.find(label);
  if (found == function.labels.end()) return std::nullopt;
  return found->second;
}

bool covers(const ptx::Function& function, const std::string& from, const std::string& to, uint32_t at) {
  if (from.empty()) return true;
  const auto first = place_of(function, from), last = place_of(function, to);
  // The last label of a function stands behind its body.
  return first && *first <= at && (!last || at < *last || *last >= function.body.size());
}

int64_t floor_divide(int64_t a, int64_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

}  // namespace

Result<DebugNames> DebugNames::read(const CompiledCode& debug_build) {
  auto parsed = ptx::parse(debug_build.ptx);
  if (!parsed) return parsed.error();
  auto info = read_debug_info(debug_build.ptx);
  if (!info) return info.error();
  DebugNames names;
  names.module_ = std::make_shared<const ptx::Module>(std::move(*parsed));
  names.info_ = std::move(*info);
  for (const ptx::Function& source : names.module_->functions) {
    if (source.declared_only) continue;
    names.functions_.emplace_back(source.name, Function{&source, simt::AddressOrigins(source)});
  }
  return names;
}

const DebugNames::Function* DebugNames::function(const std::string& name) const {
  for (const auto& [known, function] : functions_) {
    if (known == name) return &function;
  }
  return nullptr;
}

/// The innermost open call that the diagnosis' own line belongs to.
const DebugFunction* DebugNames::learner_function(const Diagnosis& diagnosis,
                                                  const Moment::Activation*& activation) const {
  const DebugFunction* first = nullptr;
  for (const Moment::Activation& open : diagnosis.moment->activations) {
    const DebugFunction* described = info_.function(open.function);
    const Function* code = function(open.function);
    if (!described || !code || open.instruction >= code->source->body.size()) continue;
    const int32_t point = code->source->body[open.instruction].point;
    const bool here = point >= 0 && int(module_->points[size_t(point)].line) == diagnosis.line;
    if (!first || here) {
      first = described;
      activation = &open;
    }
    if (here) break;
  }
  return first;
}

std::optional<DebugNames::Object> DebugNames::local_object(const Moment& moment, uint32_t activation,
                                                           uint64_t address,
                                                           const std::optional<Origin>& origin) const {
  const int64_t at = int64_t(address - Moment::local_window);
  struct Found {
    const DebugVariable* variable = nullptr;
    int64_t begin = 0;
    int rank = 3;  ///< 0 by origin, 1 holds the address, 2 lies before it
  } best;
  for (uint32_t k = activation; k < moment.activations.size(); ++k) {
    const Moment::Activation& open = moment.activations[k];
    const DebugFunction* described = info_.function(open.function);
    const Function* code = function(open.function);
    if (!described || !code) continue;
    const int64_t depot = int64_t(open.local_base) + open.depot;
    for (const DebugVariable& variable : described->variables) {
      for (const DebugVariable::Place& place : variable.places) {
        if (place.location.kind != DebugLocation::Kind::local) continue;
        const DebugType* type = info_.plain(variable.type);
        if (!type) continue;
        const int64_t begin = depot + int64_t(place.location.offset), end = begin + type->bytes;
        int rank = 3;
        if (k == activation && origin) {
          const int64_t from = depot + origin->constant;
          if (begin <= from && from < end) rank = 0;
        }
        if (rank == 3 && begin <= at && at < end) rank = 1;
        if (rank == 3 && begin <= at) rank = 2;
        // Two variables may share bytes when their scopes exclude each other.
        const bool in_scope = covers(*code->source, variable.from, variable.to, open.instruction);
        if (!in_scope && rank != 2) ++rank;
        if (rank < best.rank || (rank == 2 && best.rank == 2 && begin > best.begin)) {
          best = {&variable, begin, rank};
        }
      }
    }
  }
  if (!best.variable) return std::nullopt;
  Object object{best.variable->name, best.variable->type, &info_, at - best.begin};
  if (origin && best.rank <= 1) {
    // An index into an array member counts from the member.
    const Moment::Activation& open = moment.activations[activation];
    const int64_t from = int64_t(open.local_base) + open.depot + origin->constant - best.begin;
    if (from >= 0) enter_members(info_, object.name, object.type, from, object.offset);
  }
  return object;
}

std::optional<DebugNames::Object> DebugNames::object_of_register(const Moment& moment, int32_t register_index,
                                                                 uint32_t at, int depth) const {
  const Moment::Activation& open = moment.activations[0];
  const Function* code = function(open.function);
  const DebugFunction* described = info_.function(open.function);
  if (!code || depth > deepest || size_t(register_index) >= code->source->registers.size())
    return std::nullopt;
  const std::string& name = code->source->registers[size_t(register_index)].name;
  const DebugVariable* found = nullptr;
  if (described) {
    for (const DebugVariable& variable : described->variables) {
      for (const DebugVariable::Place& place : variable.places) {
        if (place.location.kind != DebugLocation::Kind::reg || place.location.name != name) continue;
        const bool here = covers(*code->source, place.from, place.to, at);
        if (!found || here) found = &variable;
      }
    }
  }
  if (found) return Object{found->name, found->type, &info_, 0};
  // A copy, or a value that was read from local memory.
  for (const uint32_t writer : code->origins.writers(uint32_t(register_index))) {
    const ptx::Instruction& instruction = code->source->body[writer];
    if (instruction.operands.size() != 2) continue;
    const ptx::Operand& from = instruction.operands[1];
    if (instruction.opcode == "mov" && from.kind == ptx::Operand::Kind::reg) {
      if (auto object = object_of_register(moment, int32_t(from.index), writer, depth + 1)) return object;
    } else if (instruction.opcode == "ld" && from.kind == ptx::Operand::Kind::address &&
               !instruction.has("param") && from.parts.size() == 1 &&
               from.parts[0].kind == ptx::Operand::Kind::reg) {
      const uint64_t address = open.registers[from.parts[0].index] + uint64_t(from.offset);
      if (address < Moment::local_window) continue;
      if (auto object = local_object(moment, 0, address, code->origins.of_address(from))) return object;
    }
  }
  return std::nullopt;
}

std::optional<DebugNames::Object> DebugNames::object_of_access(const Diagnosis& diagnosis) const {
  const Moment& moment = *diagnosis.moment;
  if (moment.unwritten_register >= 0) {
    return object_of_register(moment, moment.unwritten_register, moment.activations[0].instruction, 0);
  }
  if (diagnosis.space == "local") {
    const Function* code = function(moment.activations[0].function);
    std::optional<Origin> from;
    if (code && moment.activations[0].instruction < code->source->body.size()) {
      const ptx::Instruction& access = code->source->body[moment.activations[0].instruction];
      for (const ptx::Operand& operand : access.operands) {
        if (operand.kind == ptx::Operand::Kind::address) from = code->origins.of_address(operand);
      }
    }
    return local_object(moment, 0, moment.address, from);
  }
  if (diagnosis.buffer.empty() || !diagnosis.index || moment.element_bytes == 0) return std::nullopt;
  Object object;
  object.name = diagnosis.buffer;
  object.offset =
      *diagnosis.index * int64_t(moment.element_bytes) + int64_t(moment.address % moment.element_bytes);
  const auto typed = [&](const DebugInfo& info, const DebugVariable& variable) {
    object.info = &info;
    object.type = variable.type;
  };
  for (const DebugVariable& variable : info_.globals) {
    if (variable.name == diagnosis.buffer) typed(info_, variable);
  }
  if (diagnosis.space == "shared" && shapes_ && object.type < 0) {
    for (const DebugFunction& described : shapes_->functions) {
      for (const DebugVariable& variable : described.variables) {
        const DebugType* type = shapes_->plain(variable.type);
        if (variable.name != diagnosis.buffer || !type || variable.parameter) continue;
        const bool own = std::any_of(moment.activations.begin(), moment.activations.end(),
                                     [&](const auto& open) { return open.function == described.linkage; });
        if (object.type < 0 || own) typed(*shapes_, variable);
      }
    }
  }
  if (object.type >= 0) return object;
  // A buffer that the kernel knows as a pointer to structs.
  const DebugFunction* kernel = info_.function(moment.activations.back().function);
  if (!kernel) return std::nullopt;
  for (const DebugVariable& variable : kernel->variables) {
    const DebugType* type = info_.plain(variable.type);
    if (variable.parameter && variable.name == diagnosis.buffer && type &&
        type->kind == DebugType::Kind::pointer) {
      typed(info_, variable);
      return object;
    }
  }
  return std::nullopt;
}

void DebugNames::describe(const Object& object, Diagnosis& diagnosis) const {
  const DebugType* type = object.info->plain(object.type);
  if (!type) {
    diagnosis.buffer = object.name;
    return;
  }
  if (type->kind == DebugType::Kind::pointer) {
    // Elements keep being counted as the argument's; only members of structs read better with their names.
    const DebugType* inner = object.info->plain(type->inner);
    if (inner && inner->kind == DebugType::Kind::structure && inner->bytes > 0 &&
        diagnosis.moment->unwritten_register < 0) {
      const int64_t index = floor_divide(object.offset, inner->bytes);
      diagnosis.element = fmt::format("{}[{}]", object.name, index);
      // A vector is accessed whole.
      if (diagnosis.bytes != inner->bytes)
        diagnosis.element += element_path(*object.info, type->inner, object.offset - index * inner->bytes);
    }
    if (diagnosis.moment->unwritten_register >= 0) diagnosis.buffer = diagnosis.element = object.name;
    return;
  }
  const uint32_t scalar = scalar_bytes(*object.info, object.type);
  diagnosis.element = object.name + element_path(*object.info, object.type, object.offset);
  diagnosis.buffer = object.name;
  if (scalar == 0) return;
  const uint32_t had = diagnosis.moment->element_bytes;
  if (type->bytes > 0) {
    diagnosis.elements = type->bytes / scalar;
  } else if (had > 0) {
    diagnosis.elements = diagnosis.elements * had / scalar;
  }
  diagnosis.index = floor_divide(object.offset, scalar);
  if (type->kind != DebugType::Kind::array && type->kind != DebugType::Kind::structure) {
    diagnosis.index.reset();
    diagnosis.elements = 0;
  }
}

void DebugNames::list_variables(Diagnosis& diagnosis) const {
  const Moment& moment = *diagnosis.moment;
  const Moment::Activation* open = nullptr;
  const DebugFunction* described = learner_function(diagnosis, open);
  if (!described || !open) return;
  const Function& code = *function(open->function);
  const auto register_at = [&](const std::string& name) -> std::optional<uint64_t> {
    const auto& registers = code.source->registers;
    for (size_t r = 0; r < registers.size(); ++r) {
      if (registers[r].name != name) continue;
      // Claimed for the whole scope, also before it is set (debug notes 2.3).
      const auto& writers = code.origins.writers(uint32_t(r));
      if (writers.empty() || writers.front() >= open->instruction) return std::nullopt;
      return open->registers[r];
    }
    return std::nullopt;
  };
  for (const DebugVariable& variable : described->variables) {
    if (!covers(*code.source, variable.from, variable.to, open->instruction)) continue;
    const DebugType* type = info_.plain(variable.type);
    if (!type) continue;
    std::optional<uint64_t> bits;
    for (const DebugVariable::Place& place : variable.places) {
      if (!covers(*code.source, place.from, place.to, open->instruction)) continue;
      if (place.location.kind == DebugLocation::Kind::reg) {
        bits = register_at(place.location.name);
      } else if (place.location.kind == DebugLocation::Kind::constant) {
        bits = place.location.offset;
      } else if (place.location.kind == DebugLocation::Kind::local && type->bytes <= 8) {
        const size_t at = open->local_base + open->depot + place.location.offset;
        if (at + type->bytes > moment.local.size()) continue;
        uint64_t value = 0;
        std::memcpy(&value, moment.local.data() + at, type->bytes);
        bits = value;
      }
    }
    if (!bits) continue;
    const std::string text = value_text(info_, variable.type, *bits);
    if (text.empty()) continue;
    std::erase_if(diagnosis.variables, [&](const auto& outer) { return outer.name == variable.name; });
    diagnosis.variables.push_back({variable.name, text, variable.line});
  }
}

namespace {

void add_arrays(const DebugInfo& info, const std::string& name, int type, uint32_t offset,
                std::vector<simt::LocalObject>& objects) {
  const DebugType* t = info.plain(type);
  if (!t || t->bytes == 0) return;
  objects.push_back({name, offset, t->bytes});
  if (t->kind != DebugType::Kind::structure) return;
  for (const DebugType::Member& member : t->members) {
    const DebugType* inner = info.plain(member.type);
    if (inner && (inner->kind == DebugType::Kind::array || inner->kind == DebugType::Kind::structure))
      add_arrays(info, member.name.empty() ? name : name + "." + member.name, member.type,
                 offset + member.offset, objects);
  }
}

}  // namespace

simt::LocalObjects local_objects(const DebugInfo& info) {
  simt::LocalObjects found;
  for (const DebugFunction& function : info.functions) {
    for (const DebugVariable& variable : function.variables) {
      for (const DebugVariable::Place& place : variable.places) {
        if (place.location.kind != DebugLocation::Kind::local) continue;
        add_arrays(info, variable.name, variable.type, uint32_t(place.location.offset),
                   found[function.linkage]);
      }
    }
  }
  return found;
}

void DebugNames::name(Diagnosis& diagnosis) const {
  if (!diagnosis.moment || diagnosis.moment->activations.empty()) return;
  list_variables(diagnosis);
  const bool by_register = diagnosis.moment->unwritten_register >= 0;
  if (const auto object = object_of_access(diagnosis)) {
    describe(*object, diagnosis);
  } else if (by_register) {
    diagnosis.buffer.clear();
  }
}

}  // namespace warpbook
