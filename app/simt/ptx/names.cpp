// See names.h. No full demangler: only source names matter here, and those carry their own lengths.
#include "simt/ptx/names.h"

#include <vector>

namespace warpbook::ptx {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// <length><characters> at `at`; moves past it. Empty when there is none.
std::string_view source_name(std::string_view text, size_t& at) {
  size_t position = at;
  size_t length = 0;
  while (position < text.size() && is_digit(text[position]) && length < text.size()) {
    length = length * 10 + size_t(text[position++] - '0');
  }
  if (position == at || length == 0 || length > text.size() - position) return {};
  at = position + length;
  return text.substr(position, length);
}

/// `_<digit>` or `__<number>_`, and what LLVM appends when it clones a variable: the rest of the text and
/// nothing else.
bool is_discriminator(std::string_view rest) {
  if (rest.empty()) return true;
  if (rest.front() != '_' && rest.front() != '$' && rest.front() != '.') return false;
  for (const char c : rest) {
    if (!is_digit(c) && c != '_' && c != '$' && c != '.') return false;
  }
  return true;
}

/// Past I...E. Types and values inside are skipped by their brackets: I, N, X, J, L and F open, E closes.
bool skip_template_arguments(std::string_view text, size_t& at) {
  int open = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (is_digit(c)) {
      // A length counts source characters, except after L: there a type and a value stand, such as Li16E.
      if (source_name(text, at).empty()) ++at;
      continue;
    }
    ++at;
    if (c == 'S' || c == 'T') {
      // Substitutions and template parameters: St, S_, S0_, T_, T0_.
      while (at < text.size() && (is_digit(text[at]) || (text[at] >= 'A' && text[at] <= 'Z'))) ++at;
      if (at < text.size() && (text[at] == '_' || text[at] == 't' || text[at] == 'a' || text[at] == 's'))
        ++at;
    } else if (c == 'L') {
      ++open;
      if (at + 1 < text.size() && text[at] == '_' && text[at + 1] == 'Z') {
        at += 2;
      } else if (at < text.size() && text[at] >= 'a' && text[at] <= 'z') {
        ++at;
        while (at < text.size() && text[at] != 'E') ++at;
      }
    } else if (c == 'I' || c == 'N' || c == 'X' || c == 'J' || c == 'F') {
      ++open;
    } else if (c == 'E' && --open == 0) {
      return true;
    }
  }
  return false;
}

/// The parts of N...E or of a plain source name; empty when not understood.
std::vector<std::string_view> name_parts(std::string_view text, size_t& at) {
  std::vector<std::string_view> parts;
  const bool nested = at < text.size() && text[at] == 'N';
  if (nested) ++at;
  while (at < text.size()) {
    const char c = text[at];
    if (nested && c == 'E') {
      ++at;
      return parts;
    }
    if (is_digit(c)) {
      const std::string_view part = source_name(text, at);
      if (part.empty()) return {};
      parts.push_back(part);
      if (!nested) return parts;
    } else if (c == 'I') {
      if (!skip_template_arguments(text, at)) return {};
    } else if (c == 'S' && at + 1 < text.size() && text[at + 1] == 't') {
      parts.push_back("std");
      at += 2;
    } else if (c == 'L' || c == 'K' || c == 'V' || c == 'r' || c == 'R' || c == 'O') {
      ++at;  // internal linkage; qualifiers of a member function
    } else if ((c == 'C' || c == 'D') && nested && at + 1 < text.size() && is_digit(text[at + 1]) &&
               !parts.empty()) {
      parts.push_back(parts.back());  // constructors and destructors carry their class's name
      at += 2;
    } else {
      return {};
    }
  }
  return nested ? std::vector<std::string_view>{} : parts;
}

}  // namespace

std::string display_name(std::string_view name) {
  if (name.size() < 4 || name.substr(0, 2) != "_Z") return std::string(name);
  if (name[2] == 'Z') {
    // A static of a function: _ZZ <function> E <name> [discriminator]. The name is what ends the text
    // exactly.
    for (size_t at = 3; at + 2 < name.size(); ++at) {
      if (name[at] != 'E') continue;
      size_t after = at + 1;
      if (name[after] == 'L') ++after;
      const std::string_view part = source_name(name, after);
      if (!part.empty() && is_discriminator(name.substr(after))) return std::string(part);
    }
    return std::string(name);
  }
  size_t at = 2;
  const auto parts = name_parts(name, at);
  if (parts.empty() || (at < name.size() && !is_discriminator(name.substr(at)))) return std::string(name);
  return std::string(parts.back());
}

std::string display_function_name(std::string_view name) {
  if (name.size() < 4 || name.substr(0, 2) != "_Z") return std::string(name);
  size_t at = 2;
  const auto parts = name_parts(name, at);
  std::string result;
  for (const std::string_view part : parts) {
    if (part.substr(0, 9) == "_INTERNAL" || part == "_GLOBAL__N_1") continue;  // unnamed namespaces
    if (!result.empty()) result += "::";
    result += part;
  }
  return result.empty() ? std::string(name) : result;
}

}  // namespace warpbook::ptx
