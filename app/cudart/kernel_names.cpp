// See kernel_names.h. The C++ ABI's own demangler does the reading.
#include "cudart/kernel_names.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>

#include "base/text.h"

namespace warpbook::cudart {
namespace {

std::string demangled(const std::string& symbol) {
  int status = 0;
  char* const text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  std::string out = status == 0 && text ? text : "";
  std::free(text);
  return out;
}

/// Where the list of parameters opens: the parenthesis that closes last. "(anonymous namespace)" has some of
/// its own.
size_t parameters_open(std::string_view text) {
  if (text.empty() || text.back() != ')') return std::string_view::npos;
  int depth = 0;
  for (size_t i = text.size(); i-- > 0;) {
    if (text[i] == ')') ++depth;
    if (text[i] == '(' && --depth == 0) return i;
  }
  return std::string_view::npos;
}

/// Cuts at commas outside of brackets.
std::vector<std::string> list_of(std::string_view text) {
  std::vector<std::string> parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '<' || c == '(' || c == '[') ++depth;
    if (c == '>' || c == ')' || c == ']') --depth;
    if (c == ',' && depth <= 0) {
      parts.emplace_back(trim(text.substr(begin, i - begin)));
      begin = i + 1;
    }
  }
  return parts;
}

struct Scalar {
  std::string_view name;
  uint32_t bytes;
};
constexpr Scalar scalars[] = {
    {"float", 4},
    {"double", 8},
    {"int", 4},
    {"unsigned int", 4},
    {"char", 1},
    {"unsigned char", 1},
    {"signed char", 1},
    {"short", 2},
    {"unsigned short", 2},
    {"long", 8},
    {"unsigned long", 8},
    {"long long", 8},
    {"unsigned long long", 8},
    {"bool", 1},
    {"__half", 2},
    {"__nv_bfloat16", 2},
    {"float2", 8},
    {"float3", 12},
    {"float4", 16},
    {"double2", 16},
    {"int2", 8},
    {"int3", 12},
    {"int4", 16},
    {"uint2", 8},
    {"uint3", 12},
    {"uint4", 16},
    {"uchar4", 4},
    {"char4", 4},
    {"short2", 4},
    {"ushort2", 4},
};

template <class T>
T as(const void* bytes) {
  T value{};
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

}  // namespace

std::string kernel_name(const std::string& symbol) {
  std::string text = demangled(symbol);
  if (text.empty()) return symbol;
  const size_t open = parameters_open(text);
  if (open != std::string::npos) text.resize(open);
  // Templates have their result in front: "void add<float>".
  if (starts_with(text, "void ")) text.erase(0, 5);
  return text;
}

std::vector<ParameterType> parameter_types(const std::string& symbol) {
  const std::string text = demangled(symbol);
  const size_t open = parameters_open(text);
  std::vector<ParameterType> types;
  if (open == std::string::npos || open + 2 >= text.size()) return types;
  for (std::string& part : list_of(std::string_view(text).substr(open + 1, text.size() - open - 2))) {
    ParameterType type;
    type.pointer = !part.empty() && part.back() == '*';
    if (type.pointer) {
      std::string target(trim(std::string_view(part).substr(0, part.size() - 1)));
      for (const char* qualifier : {" const", " volatile"}) target = replace_all(target, qualifier, "");
      for (const Scalar& scalar : scalars) {
        if (scalar.name == target) type.element_bytes = scalar.bytes;
      }
      if (!target.empty() && target.back() == '*') type.element_bytes = 8;
    }
    type.text = std::move(part);
    types.push_back(std::move(type));
  }
  return types;
}

uint32_t scalar_bytes(std::string_view type) {
  for (const Scalar& scalar : scalars)
    if (scalar.name == type) return scalar.bytes;
  return 0;
}

std::string value_text(std::string_view type, const void* bytes, size_t size) {
  if (type == "float" && size == 4) return fmt::format("{}", as<float>(bytes));
  if (type == "double" && size == 8) return fmt::format("{}", as<double>(bytes));
  if (type == "bool" && size == 1) return as<uint8_t>(bytes) ? "true" : "false";
  if (starts_with(type, "unsigned") || type == "size_t") {
    if (size == 4) return fmt::format("{}", as<uint32_t>(bytes));
    if (size == 8) return fmt::format("{}", as<uint64_t>(bytes));
  }
  if (!type.empty() && type.back() == '*' && size == 8) return fmt::format("{:#x}", as<uint64_t>(bytes));
  switch (size) {
    case 1: return fmt::format("{}", as<int8_t>(bytes));
    case 2: return fmt::format("{}", as<int16_t>(bytes));
    case 4: return fmt::format("{}", as<int32_t>(bytes));
    case 8: {
      const auto value = as<uint64_t>(bytes);
      return type.empty() && value > 0xFFFF'FFFF ? fmt::format("{:#x}", value)
                                                 : fmt::format("{}", int64_t(value));
    }
    default: return fmt::format("{} bytes", size);
  }
}

}  // namespace warpbook::cudart
