#include "lab/source_scan.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "device/source_checks.h"

namespace warpbook {

namespace {

using Aliases = std::map<std::string, std::string>;
using Tokens = std::vector<Token>;

bool is(const Tokens& tokens, size_t at, std::string_view text) {
  return at < tokens.size() && tokens[at].text == text;
}

/// Index behind the mark that closes the one at `open`; nested pairs are stepped over.
size_t behind(const Tokens& tokens, size_t open) {
  const std::string_view first = tokens[open].text;
  const bool angle = first == "<";
  int depth = 0;
  for (size_t i = open; i < tokens.size(); ++i) {
    const std::string_view t = tokens[i].text;
    if (angle) {
      if (t == "<") ++depth;
      if (t == ">") --depth;
      if (t == ">>") depth -= 2;
      if (t == "(") i = behind(tokens, i) - 1;
      if (t == ";" || t == "{") return i;  // no template list after all
    } else {
      if (t == "(" || t == "[" || t == "{") ++depth;
      if (t == ")" || t == "]" || t == "}") --depth;
    }
    if (depth <= 0) return i + 1;
  }
  return tokens.size();
}

std::string spelled(const Tokens& tokens, size_t from, size_t to) {
  std::string text;
  for (size_t i = from; i < to; ++i) {
    const bool wordy = tokens[i].kind != Token::Kind::mark;
    if (!text.empty() && wordy &&
        (std::isalnum(static_cast<unsigned char>(text.back())) || text.back() == '_' || text.back() == '*' ||
         text.back() == '&' || text.back() == '>'))
      text += ' ';
    text += tokens[i].text;
  }
  return text;
}

/// The element type of a C++ scalar or of a vector of one; nothing for what is not known.
std::optional<ElementType> element_named(std::string type, const Aliases& aliases) {
  static const std::map<std::string, ElementType, std::less<>> known = {
      {"bool", ElementType::u8},
      {"char", ElementType::i8},
      {"signed char", ElementType::i8},
      {"unsigned char", ElementType::u8},
      {"short", ElementType::i16},
      {"short int", ElementType::i16},
      {"unsigned short", ElementType::u16},
      {"unsigned short int", ElementType::u16},
      {"int", ElementType::i32},
      {"signed", ElementType::i32},
      {"signed int", ElementType::i32},
      {"unsigned", ElementType::u32},
      {"unsigned int", ElementType::u32},
      {"uint", ElementType::u32},
      {"ushort", ElementType::u16},
      {"uchar", ElementType::u8},
      {"long", ElementType::i64},
      {"long int", ElementType::i64},
      {"unsigned long", ElementType::u64},
      {"unsigned long int", ElementType::u64},
      {"long long", ElementType::i64},
      {"long long int", ElementType::i64},
      {"unsigned long long", ElementType::u64},
      {"unsigned long long int", ElementType::u64},
      {"size_t", ElementType::u64},
      {"ptrdiff_t", ElementType::i64},
      {"int8_t", ElementType::i8},
      {"uint8_t", ElementType::u8},
      {"int16_t", ElementType::i16},
      {"uint16_t", ElementType::u16},
      {"int32_t", ElementType::i32},
      {"uint32_t", ElementType::u32},
      {"int64_t", ElementType::i64},
      {"uint64_t", ElementType::u64},
      {"float", ElementType::f32},
      {"double", ElementType::f64},
      {"half", ElementType::f16},
      {"__half", ElementType::f16},
      {"half2", ElementType::f16},
      {"__half2", ElementType::f16},
      {"__nv_bfloat16", ElementType::bf16},
      {"nv_bfloat16", ElementType::bf16},
      {"__nv_bfloat162", ElementType::bf16},
      {"nv_bfloat162", ElementType::bf16}};
  for (int hops = 0; hops < 8; ++hops) {
    std::string plain;
    for (std::string_view word : split(type, ' '))
      if (!word.empty() && word != "const" && word != "volatile" && word != "struct" && word != "typename")
        plain.append(plain.empty() ? "" : " ").append(word);
    if (starts_with(plain, "std::")) plain = plain.substr(5);
    if (const auto found = known.find(plain); found != known.end()) return found->second;
    // float4, int2, uchar4, longlong2: a vector is accessed as its components.
    static const std::pair<std::string_view, ElementType> vectors[] = {
        {"float", ElementType::f32},     {"double", ElementType::f64}, {"int", ElementType::i32},
        {"uint", ElementType::u32},      {"short", ElementType::i16},  {"ushort", ElementType::u16},
        {"char", ElementType::i8},       {"uchar", ElementType::u8},   {"longlong", ElementType::i64},
        {"ulonglong", ElementType::u64}, {"long", ElementType::i64},   {"ulong", ElementType::u64}};
    for (const auto& [stem, element] : vectors)
      if (plain.size() == stem.size() + 1 && starts_with(plain, stem) && plain.back() >= '1' &&
          plain.back() <= '4')
        return element;
    const auto alias = aliases.find(plain);
    if (alias == aliases.end()) return std::nullopt;
    type = alias->second;
  }
  return std::nullopt;
}

/// Sets pointer and element from the type as written.
void classify(KernelParameter& parameter, const Aliases& aliases) {
  std::string type = parameter.type;
  for (int hops = 0; hops < 8; ++hops) {
    std::string plain(trim(replace_all(replace_all(type, "const ", ""), "__restrict__", "")));
    const auto alias = aliases.find(plain);
    if (alias == aliases.end()) break;
    type = alias->second;
  }
  const auto stars = std::count(type.begin(), type.end(), '*') + std::count(type.begin(), type.end(), '[');
  parameter.pointer = stars > 0;
  parameter.element.reset();
  if (stars > 1 || type.find('&') != std::string::npos) return;
  std::string base = type.substr(0, type.find_first_of("*["));
  parameter.element = element_named(std::string(trim(base)), aliases);
}

KernelParameter parse_parameter(const Tokens& tokens, size_t from, size_t to) {
  KernelParameter parameter;
  for (size_t i = from; i < to; ++i)
    if (is(tokens, i, "=")) to = i;
  std::string brackets;
  size_t end = to;
  while (end > from && is(tokens, end - 1, "]")) {
    size_t open = end - 1;
    while (open > from && !is(tokens, open, "[")) --open;
    brackets = "[]";
    end = open;
  }
  Tokens kept;
  for (size_t i = from; i < end; ++i) {
    const std::string_view t = tokens[i].text;
    if (t != "__restrict__" && t != "__restrict" && t != "__grid_constant__" && t != "restrict")
      kept.push_back(tokens[i]);
  }
  // The last word is the name, unless it is the type itself (`int` alone, `unsigned int`, `a::b`).
  static const std::string_view type_words[] = {"int",   "unsigned", "signed", "char", "short", "long",
                                                "float", "double",   "bool",   "void", "const", "size_t"};
  if (kept.size() > 1 && kept.back().kind == Token::Kind::word && !is(kept, kept.size() - 2, "::") &&
      std::find(std::begin(type_words), std::end(type_words), kept.back().text) == std::end(type_words)) {
    parameter.name = std::string(kept.back().text);
    kept.pop_back();
  }
  parameter.type = spelled(kept, 0, kept.size()) + brackets;
  return parameter;
}

struct Scanner {
  Tokens tokens;
  SourceScan scan;
  Aliases aliases;
  std::vector<std::string> scopes;  ///< one a brace: a namespace's name, "extern C" or empty

  bool in_extern_c() const { return std::find(scopes.begin(), scopes.end(), "extern C") != scopes.end(); }
  std::string prefix() const {
    std::string text;
    for (const std::string& scope : scopes)
      if (!scope.empty() && scope != "extern C") text += scope + "::";
    return text;
  }

  void template_list(size_t from, size_t to, KernelSource& kernel) {
    for (size_t start = from; start < to;) {
      size_t end = start;
      while (end < to && !is(tokens, end, ","))
        end = is(tokens, end, "<") || is(tokens, end, "(") ? behind(tokens, end) : end + 1;
      size_t equals = start;
      while (equals < end && !is(tokens, equals, "=")) ++equals;
      const std::string fallback = equals < end ? spelled(tokens, equals + 1, end) : std::string{};
      if (equals > start && tokens[equals - 1].kind == Token::Kind::word)
        kernel.template_parameters.emplace_back(std::string(tokens[equals - 1].text), fallback);
      start = end + 1;
    }
  }

  size_t behind_attributes(size_t i) const {
    while (i < tokens.size() && is_launch_attribute(tokens[i].text) && is(tokens, i + 1, "("))
      i = behind(tokens, i + 1);
    return i;
  }

  /// `at` is on __global__; `statement` is where its declaration starts.
  size_t kernel(size_t at, size_t statement) {
    KernelSource found;
    found.extern_c = in_extern_c();
    for (size_t i = statement; i < at; ++i) {
      if (is(tokens, i, "extern") && is(tokens, i + 1, "\"C\"")) found.extern_c = true;
      if (is(tokens, i, "template") && is(tokens, i + 1, "<")) {
        found.is_template = !is(tokens, i + 2, ">");
        template_list(i + 2, behind(tokens, i + 1) - 1, found);
      }
    }
    size_t i = behind_attributes(at + 1);
    while (i < tokens.size() && !is(tokens, i + 1, "(")) {
      if (is(tokens, i, ";") || is(tokens, i, "{")) return at + 1;
      i = behind_attributes(i + 1);
    }
    if (i >= tokens.size() || tokens[i].kind != Token::Kind::word) return at + 1;
    return kernel_named(i, std::move(found));
  }
  size_t kernel_named(size_t i, KernelSource found) {
    found.name = std::string(tokens[i].text);
    found.qualified = prefix() + found.name;
    found.line = tokens[i].line;
    const size_t open = i + 1, close = behind(tokens, open) - 1;
    for (size_t start = open + 1; start < close;) {
      size_t end = start;
      while (end < close && !is(tokens, end, ","))
        end = is(tokens, end, "<") || is(tokens, end, "(") ? behind(tokens, end) : end + 1;
      if (!(end == start + 1 && is(tokens, start, "void"))) {
        found.parameters.push_back(parse_parameter(tokens, start, end));
        classify(found.parameters.back(), aliases);
      }
      start = end + 1;
    }
    found.definition = is(tokens, close + 1, "{");
    scan.kernels.push_back(std::move(found));
    return close + 1;
  }

  void run() {
    size_t statement = 0;
    for (size_t i = 0; i < tokens.size();) {
      const std::string_view t = tokens[i].text;
      if (t == "__global__") {
        i = kernel(i, statement);
        continue;
      }
      if (t == "main" && is(tokens, i + 1, "(") && scopes.empty()) scan.has_main = true;
      if (t == "using" && is(tokens, i + 2, "=")) {
        size_t end = i + 3;
        while (end < tokens.size() && !is(tokens, end, ";")) ++end;
        aliases[std::string(tokens[i + 1].text)] = spelled(tokens, i + 3, end);
      }
      if (t == "typedef") {
        size_t end = i + 1;
        while (end < tokens.size() && !is(tokens, end, ";") && !is(tokens, end, "{")) ++end;
        if (is(tokens, end, ";") && end > i + 2)
          aliases[std::string(tokens[end - 1].text)] = spelled(tokens, i + 1, end - 1);
      }
      if (t == "{") {
        std::string scope;
        if (i >= 2 && is(tokens, i - 2, "namespace")) scope = std::string(tokens[i - 1].text);
        if (i >= 2 && is(tokens, i - 2, "extern") && is(tokens, i - 1, "\"C\"")) scope = "extern C";
        scopes.push_back(std::move(scope));
      }
      if (t == "}" && !scopes.empty()) scopes.pop_back();
      ++i;
      if (t == ";" || t == "{" || t == "}") statement = i;
    }
  }
};

}  // namespace

SourceScan scan_source(std::string_view source) {
  Scanner scanner;
  // `#define REAL float` is how many kernels choose their precision.
  for (std::string_view line : lines_of(source)) {
    line = trim(line);
    if (!starts_with(line, "#define ")) continue;
    const std::string_view rest = trim(line.substr(8));
    const size_t blank = rest.find_first_of(" \t");
    if (blank == std::string_view::npos || rest.substr(0, blank).find('(') != std::string_view::npos)
      continue;
    scanner.aliases[std::string(rest.substr(0, blank))] = std::string(trim(rest.substr(blank)));
  }
  scanner.tokens = tokens_of(source);
  scanner.run();
  // A declaration counts only while its definition is missing.
  auto& kernels = scanner.scan.kernels;
  std::vector<KernelSource> kept;
  for (const KernelSource& kernel : kernels) {
    const bool defined = std::any_of(kernels.begin(), kernels.end(), [&](const KernelSource& other) {
      return other.definition && other.qualified == kernel.qualified;
    });
    if (kernel.definition || !defined) kept.push_back(kernel);
  }
  kernels = std::move(kept);
  return std::move(scanner.scan);
}

std::vector<KernelParameter> parameters_of(const KernelSource& kernel, std::string_view name_expression) {
  std::vector<KernelParameter> parameters = kernel.parameters;
  if (kernel.template_parameters.empty()) return parameters;
  const Tokens tokens = tokens_of(name_expression);
  std::vector<std::string> given;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (!is(tokens, i, "<")) continue;
    const size_t close = behind(tokens, i) - 1;
    for (size_t start = i + 1; start < close;) {
      size_t end = start;
      while (end < close && !is(tokens, end, ","))
        end = is(tokens, end, "<") || is(tokens, end, "(") ? behind(tokens, end) : end + 1;
      given.push_back(spelled(tokens, start, end));
      start = end + 1;
    }
    break;
  }
  Aliases aliases;
  for (size_t i = 0; i < kernel.template_parameters.size(); ++i) {
    const auto& [name, fallback] = kernel.template_parameters[i];
    const std::string value = i < given.size() ? given[i] : fallback;
    if (!value.empty() && value != name) aliases[name] = value;
  }
  for (KernelParameter& parameter : parameters) {
    if (parameter.element) continue;
    const bool pointer = parameter.pointer;
    classify(parameter, aliases);
    parameter.pointer = parameter.pointer || pointer;
  }
  return parameters;
}

std::string signature_of(const KernelSource& kernel) {
  std::vector<std::string> parts;
  for (const KernelParameter& parameter : kernel.parameters)
    parts.push_back(parameter.name.empty() ? parameter.type : parameter.type + " " + parameter.name);
  return kernel.name + "(" + join(parts, ", ") + ")";
}

}  // namespace warpbook
