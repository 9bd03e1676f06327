// What all explanations share: the values of a thread, and the subscript that is meant.
#include "lab/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/text.h"
#include "lab/encode.h"
#include "result/moment.h"

namespace warpbook {

namespace {

void add_dimensions(KnownValues& values, const char* name, const Dim3& d) {
  values[fmt::format("{}.x", name)] = d.x;
  values[fmt::format("{}.y", name)] = d.y;
  values[fmt::format("{}.z", name)] = d.z;
}

/// How often tokens of the function change a name: by =, +=, ++ and the like, or by taking its address.
int changes_of(const std::vector<Token>& tokens, size_t first, size_t last, std::string_view name) {
  int changes = 0;
  for (size_t i = first; i <= last && i < tokens.size(); ++i) {
    if (tokens[i].text != name || tokens[i].kind != Token::Kind::word) continue;
    const auto text = [&](size_t k) { return k < tokens.size() ? tokens[k].text : std::string_view(); };
    const std::string_view next = text(i + 1), after = text(i + 2);
    static constexpr std::string_view operators[] = {"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"};
    const bool arithmetic =
        std::find(std::begin(operators), std::end(operators), next) != std::end(operators);
    const std::string_view before = i > 0 ? text(i - 1) : "", ahead = i > 1 ? text(i - 2) : "";
    const bool counted = (next == "+" && after == "+") || (next == "-" && after == "-") ||
                         (before == "+" && ahead == "+") || (before == "-" && ahead == "-");
    const bool address = before == "&" && (ahead == "(" || ahead == "," || ahead == "=");
    if (next == "=" || (arithmetic && after == "=") || counted || address) ++changes;
  }
  return changes;
}

/// Variables that the function sets once, before the line and in a block around it, by what is known.
void add_variables(KnownValues& values, const Diagnosis& diagnosis, const Situation& situation) {
  const SourceStructure& source = situation.source;
  const Statement* body = source.function_at(diagnosis.line);
  if (!body) return;
  for (const Statement* s : source.plain_statements(*body)) {
    if (s->first_line > diagnosis.line) break;
    const bool around = s->parent && s->parent->kind == Statement::Kind::block &&
                        s->parent->first_line <= diagnosis.line && s->parent->last_line >= diagnosis.line;
    const std::string text = source.text(*s);
    const size_t equals = text.find('=');
    if (!around || equals == std::string::npos || text.find(',') != std::string::npos) continue;
    const auto left = SourceStructure::names_in(text.substr(0, equals));
    if (left.empty() || text.substr(0, equals).find('[') != std::string::npos) continue;
    const std::string& name = left.back();
    values.erase(name);
    if (changes_of(source.tokens(), body->first, body->last, name) != 1) continue;
    std::string expression(trim(std::string_view(text).substr(equals + 1)));
    if (!expression.empty() && expression.back() == ';') expression.pop_back();
    if (const auto value = value_of(expression, values)) values[name] = *value;
  }
  if (!diagnosis.index || changes_of(source.tokens(), body->first, body->last, diagnosis.buffer) > 0) return;
  for (const Subscript& s : source.subscripts_on(diagnosis.line)) {
    if (s.base != diagnosis.buffer || s.indices.size() != 1) continue;
    const auto tokens = tokens_of(s.indices[0]);
    if (tokens.size() == 1 && tokens[0].kind == Token::Kind::word)
      values.emplace(s.indices[0], *diagnosis.index);
  }
}

}  // namespace

KnownValues values_of(const Diagnosis& diagnosis, const Situation& situation) {
  KnownValues values;
  for (size_t i = 0; i < situation.arguments.size() && i < situation.kernel.parameters.size(); ++i) {
    const ArgumentSpec& argument = situation.arguments[i];
    if (argument.kind != ArgumentSpec::Kind::scalar || is_float(argument.type)) continue;
    const auto value = parse_int(element_as_text(argument.type, argument.bytes.data(), 0));
    if (value && !situation.kernel.parameters[i].name.empty())
      values[situation.kernel.parameters[i].name] = *value;
  }
  add_dimensions(values, "blockDim", situation.launch.block);
  add_dimensions(values, "gridDim", situation.launch.grid);
  if (diagnosis.thread) add_dimensions(values, "threadIdx", *diagnosis.thread);
  if (diagnosis.block) add_dimensions(values, "blockIdx", *diagnosis.block);
  values["warpSize"] = 32;
  add_variables(values, diagnosis, situation);
  // What the debug build saw. The innermost of equal names wins: it comes last.
  for (const auto& variable : diagnosis.variables) {
    if (const auto value = parse_int(variable.value)) values[variable.name] = *value;
  }
  return values;
}

std::vector<uint64_t> dimensions_of(const Diagnosis& diagnosis, const Situation& situation) {
  std::vector<uint64_t> dimensions;
  const std::string declared = situation.source.declaration(diagnosis.buffer, diagnosis.line);
  for (size_t open = declared.find('['); open != std::string::npos; open = declared.find('[', open + 1)) {
    const size_t close = declared.find(']', open);
    if (close == std::string::npos) return {};
    const auto size = value_of(std::string_view(declared).substr(open + 1, close - open - 1), {});
    if (!size || *size <= 0) return {};
    dimensions.push_back(uint64_t(*size));
  }
  return dimensions;
}

uint64_t elements_of(const Diagnosis& diagnosis, const Situation& situation) {
  if (diagnosis.elements) return diagnosis.elements;
  for (const ArgumentSpec& argument : situation.arguments) {
    if (argument.name == diagnosis.buffer && argument.kind == ArgumentSpec::Kind::buffer)
      return argument.count;
  }
  uint64_t elements = 1;
  const auto dimensions = dimensions_of(diagnosis, situation);
  for (const uint64_t d : dimensions) elements *= d;
  return dimensions.empty() ? 0 : elements;
}

std::string element_of(const Diagnosis& diagnosis, const Situation& situation) {
  if (!diagnosis.element.empty()) return diagnosis.element;
  const auto dimensions = dimensions_of(diagnosis, situation);
  int64_t index = diagnosis.index.value_or(0);
  if (dimensions.size() < 2) return fmt::format("{}[{}]", diagnosis.buffer, index);
  int64_t stride = 1;
  for (size_t i = 1; i < dimensions.size(); ++i) stride *= int64_t(dimensions[i]);
  std::string text = diagnosis.buffer;
  for (size_t i = 0; i < dimensions.size(); ++i) {
    // Only the outermost index leaves its range, and it rounds down.
    const int64_t at = index >= 0 ? index / stride : ~(~index / stride);
    text += fmt::format("[{}]", at);
    index -= at * stride;
    if (i + 1 < dimensions.size()) stride /= int64_t(dimensions[i + 1]);
  }
  return text;
}

std::vector<std::string> roots_of(const std::vector<std::string>& names, const Situation& situation,
                                  int line) {
  std::vector<std::string> all = names;
  const auto known = [&](const std::string& name) {
    return std::find(all.begin(), all.end(), name) != all.end();
  };
  const Statement* body = situation.source.function_at(line);
  if (!body) return all;
  for (size_t k = 0; k < all.size() && k < 32; ++k) {
    for (const Statement* s : situation.source.plain_statements(*body)) {
      if (s->first_line > line) break;
      const std::string text = situation.source.text(*s);
      const size_t equals = text.find('=');
      if (equals == std::string::npos) continue;
      const auto left = SourceStructure::names_in(text.substr(0, equals));
      const bool stores = text.substr(0, equals).find('[') != std::string::npos;
      if (left.empty() || stores || left.back() != all[k]) continue;
      for (const std::string& name : SourceStructure::names_in(text.substr(equals + 1)))
        if (!known(name)) all.push_back(name);
    }
  }
  return all;
}

bool names_threads(const std::vector<std::string>& roots) {
  return std::any_of(roots.begin(), roots.end(), [](const std::string& n) {
    return n.rfind("threadIdx", 0) == 0 || n.rfind("blockIdx", 0) == 0;
  });
}

bool depends_on_thread(const std::vector<std::string>& names, const Situation& situation, int line) {
  const std::vector<std::string> roots = roots_of(names, situation, line);
  return std::any_of(roots.begin(), roots.end(),
                     [](const std::string& n) { return n.rfind("threadIdx", 0) == 0; });
}

std::string values_text(const std::vector<std::string>& names, const KnownValues& values) {
  std::vector<std::string> parts;
  for (const std::string& name : names) {
    const auto found = values.find(name);
    if (found == values.end() || parts.size() == 3) continue;
    parts.push_back(fmt::format("{} is {}", name, found->second));
  }
  if (parts.empty()) return {};
  const std::string last = parts.back();
  parts.pop_back();
  return parts.empty() ? last : join(parts, ", ") + " and " + last;
}

const Subscript* find_subscript(const std::vector<Subscript>& subscripts, const Diagnosis& diagnosis,
                                const KnownValues& values) {
  const Subscript* found = nullptr;
  for (const Subscript& s : subscripts) {
    if (s.base != diagnosis.buffer) continue;
    if (s.indices.size() == 1 && diagnosis.index) {
      if (value_of(s.indices[0], values) == diagnosis.index) return &s;
    }
    const bool fits = (diagnosis.access == "read") == !s.stored || s.updated;
    if (!found && fits) found = &s;
  }
  return found;
}

void explain(std::vector<Diagnosis>& diagnostics, const Situation& situation) {
  for (Diagnosis& d : diagnostics) {
    d.moment.reset();
    if (d.line <= 0) continue;
    if (d.kind == "uninit-read") {
      explain_unwritten(d, situation);
    } else if (d.kind.rfind("oob-", 0) == 0 || d.kind == "null-pointer" ||
               d.kind.rfind("misaligned-", 0) == 0) {
      explain_access(d, situation);
    } else if (d.kind.rfind("race-", 0) == 0) {
      explain_race(d, situation);
    } else if (d.kind == "divergent-barrier" || d.kind == "deadlock" || d.kind == "infinite-loop" ||
               d.kind == "warp-mask" || d.kind == "shuffle-inactive-lane") {
      explain_waiting(d, situation);
    } else if (d.kind == "div-by-zero" || d.kind == "assert") {
      explain_arithmetic(d, situation);
    }
  }
}

}  // namespace warpbook
