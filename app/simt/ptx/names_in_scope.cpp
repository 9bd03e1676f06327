// See names_in_scope.h.
#include "simt/ptx/names_in_scope.h"

namespace warpbook::ptx {
namespace {

constexpr size_t most_registers = size_t(1) << 20;
constexpr const char* elements[] = {"x", "y", "z", "w", "e", "f", "g", "h"};

/// Splits "%r12" into "%r" and 12; false when it does not end in a plain number.
bool split_number(std::string_view name, std::string_view& prefix, uint32_t& number) {
  size_t start = name.size();
  while (start > 0 && name[start - 1] >= '0' && name[start - 1] <= '9') --start;
  const size_t digits = name.size() - start;
  if (digits == 0 || digits > 7 || start == 0 || (digits > 1 && name[start] == '0')) return false;
  number = 0;
  for (size_t i = start; i < name.size(); ++i) number = number * 10 + uint32_t(name[i] - '0');
  prefix = name.substr(0, start);
  return true;
}

}  // namespace

void NamesInScope::open() {
  marks_.emplace_back(declared_.size(), variable_order_.size());
  function_.scope_parents.push_back(scope_);
  scope_ = uint32_t(function_.scope_parents.size() - 1);
}

void NamesInScope::close() {
  const auto [registers, variables] = marks_.back();
  marks_.pop_back();
  while (declared_.size() > registers) {
    by_name_[declared_.back().name].pop_back();
    declared_.pop_back();
  }
  while (variable_order_.size() > variables) {
    variables_[variable_order_.back()].pop_back();
    variable_order_.pop_back();
  }
  scope_ = function_.scope_parents[scope_];
}

std::string NamesInScope::unused(std::string_view name) {
  std::string candidate(name);
  if (used_.insert(candidate).second) return candidate;
  uint32_t& suffix = next_suffix_[candidate];
  const size_t length = candidate.size();
  do {
    candidate.resize(length);
    candidate += '$';
    candidate += std::to_string(++suffix);
  } while (!used_.insert(candidate).second);
  return candidate;
}

uint32_t NamesInScope::add_register(std::string name, Type type) {
  function_.registers.push_back({std::move(name), type});
  return uint32_t(function_.registers.size() - 1);
}

bool NamesInScope::declare_registers(const RegisterDeclarator& declarator, Type type, uint32_t vector) {
  const size_t wanted = declarator.numbered ? declarator.count : vector;
  if (function_.registers.size() + wanted > most_registers) return false;
  Registers added{declarator.name,     declarator.count,        uint32_t(function_.registers.size()),
                  declarator.numbered, vector > 1 ? vector : 0, scope_};
  if (declarator.numbered) {
    // Numbered names are made unique as a group: %r<5> in an inner scope becomes %r$1_0 and so on.
    const std::string prefix = unused(std::string(declarator.name) + "<>");
    std::string stem(declarator.name);
    if (prefix.size() > stem.size() + 2) stem += prefix.substr(stem.size() + 2) + "_";
    for (uint32_t i = 0; i < declarator.count; ++i) add_register(stem + std::to_string(i), type);
  } else if (vector > 1) {
    const std::string stem = unused(declarator.name);
    for (uint32_t i = 0; i < vector && i < 8; ++i) add_register(stem + "." + elements[i], type);
  } else {
    add_register(unused(declarator.name), type);
  }
  by_name_[declarator.name].push_back(uint32_t(declared_.size()));
  declared_.push_back(added);
  return true;
}

std::string NamesInScope::declare(std::string_view name) {
  std::string flat = unused(name);
  variables_[name].push_back({flat, scope_});
  variable_order_.push_back(name);
  return flat;
}

void NamesInScope::declare_label(std::string_view name, uint32_t instruction) {
  labels_[name].push_back({scope_, instruction});
}

int32_t NamesInScope::find_register(std::string_view name) const {
  int64_t best = -1;  // the later a declaration, the deeper its scope
  uint32_t index = 0;
  if (const auto plain = by_name_.find(name); plain != by_name_.end()) {
    for (size_t i = plain->second.size(); i-- > 0;) {
      const Registers& r = declared_[plain->second[i]];
      if (r.numbered || r.vector) continue;
      best = plain->second[i], index = r.first;
      break;
    }
  }
  std::string_view prefix;
  uint32_t number = 0;
  if (split_number(name, prefix, number)) {
    if (const auto group = by_name_.find(prefix); group != by_name_.end()) {
      for (size_t i = group->second.size(); i-- > 0;) {
        const Registers& r = declared_[group->second[i]];
        if (!r.numbered || number >= r.count) continue;
        if (int64_t(group->second[i]) > best) best = group->second[i], index = r.first + number;
        break;
      }
    }
  }
  if (best >= 0) return int32_t(index);
  // An element of a vector register.
  const size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return -1;
  const std::string_view element = name.substr(dot + 1);
  const auto whole = by_name_.find(name.substr(0, dot));
  if (whole == by_name_.end() || whole->second.empty()) return -1;
  const Registers& r = declared_[whole->second.back()];
  static constexpr std::string_view colours = "rgba";
  for (uint32_t i = 0; i < r.vector && i < 8; ++i) {
    if (element == elements[i] || (i < 4 && element == colours.substr(i, 1))) return int32_t(r.first + i);
  }
  return -1;
}

uint32_t NamesInScope::vector_width(std::string_view name) const {
  const auto whole = by_name_.find(name);
  if (whole == by_name_.end() || whole->second.empty()) return 0;
  return declared_[whole->second.back()].vector;
}

std::string_view NamesInScope::find(std::string_view name) const {
  const auto found = variables_.find(name);
  if (found == variables_.end() || found->second.empty()) return {};
  return found->second.back().name;
}

int64_t NamesInScope::find_label(std::string_view name, uint32_t from_scope) const {
  const auto found = labels_.find(name);
  if (found == labels_.end()) return -1;
  for (uint32_t scope = from_scope;; scope = function_.scope_parents[scope]) {
    for (const Label& label : found->second) {
      if (label.scope == scope) return label.instruction;
    }
    if (scope == 0) return -1;
  }
}

void NamesInScope::store_labels() {
  for (const auto& [name, places] : labels_) {
    for (const Label& label : places) {
      std::string flat(name);
      for (uint32_t n = 1; !function_.labels.emplace(flat, label.instruction).second; ++n) {
        flat = std::string(name) + "$" + std::to_string(n);
      }
    }
  }
}

}  // namespace warpbook::ptx
