// Addresses that miss: which condition let the index through, or which one is missing.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "lab/explain.h"
#include "result/hint.h"

namespace warpbook {

namespace {

struct Comparison {
  std::string left, op, right;
  std::string text() const { return fmt::format("{} {} {}", left, op, right); }
};

/// The comparisons that a condition joins by && (or by ||, for one that leaves).
std::vector<Comparison> comparisons_in(const std::string& condition, std::string_view joint) {
  const std::vector<Token> tokens = tokens_of(condition);
  std::vector<Comparison> found;
  size_t first = 0;
  int depth = 0;
  const auto text = [&](size_t a, size_t b) {
    if (a >= b) return std::string();
    const size_t end = tokens[b - 1].offset + tokens[b - 1].text.size();
    return std::string(trim(std::string_view(condition).substr(tokens[a].offset, end - tokens[a].offset)));
  };
  const auto add = [&](size_t end) {
    int nested = 0;
    for (size_t i = first; i < end; ++i) {
      const std::string_view t = tokens[i].text;
      if (t == "(" || t == "[") ++nested;
      if (t == ")" || t == "]") --nested;
      if (nested == 0 && (t == "<" || t == "<=" || t == ">" || t == ">=" || t == "==" || t == "!=")) {
        found.push_back({text(first, i), std::string(t), text(i + 1, end)});
        return;
      }
    }
  };
  for (size_t i = 0; i < tokens.size(); ++i) {
    const std::string_view t = tokens[i].text;
    if (t == "(" || t == "[") ++depth;
    if (t == ")" || t == "]") --depth;
    if (depth == 0 && t == joint) {
      add(i);
      first = i + 1;
    }
  }
  add(tokens.size());
  return found;
}

/// x < bound and its forms, turned so that the bound stands on the right and the test says who may go on.
std::optional<Comparison> upper_bound(Comparison c, bool leaves) {
  if (c.op == ">" || c.op == ">=") {
    if (!leaves) {  // bound > x
      std::swap(c.left, c.right);
      c.op = c.op == ">" ? "<" : "<=";
    } else {  // if (x >= bound) return
      c.op = c.op == ">" ? "<=" : "<";
    }
    return c;
  }
  if (c.op == "<" || c.op == "<=") {
    if (leaves) {  // if (bound <= x) return
      std::swap(c.left, c.right);
      c.op = c.op == "<" ? "<=" : "<";
    }
    return c;
  }
  return std::nullopt;
}

struct GuardTest {
  Comparison test;  ///< who goes on
  Comparison written;
  const Statement* statement = nullptr;
  bool leaves = false;
};

std::vector<GuardTest> guards_of(const SourceStructure& source, const Statement& statement) {
  std::vector<GuardTest> found;
  for (const Statement* around : source.around(statement)) {
    if (around == &statement && around->kind == Statement::Kind::condition) continue;
    // The second branch runs when the condition does not hold: nothing is known from it.
    bool in_else = false;
    for (const Statement* s = &statement; s && s != around; s = s->parent)
      in_else |= s->parent == around && s->in_else;
    if (in_else) continue;
    for (const Comparison& c : comparisons_in(around->condition, "&&")) {
      if (auto test = upper_bound(c, false)) found.push_back({*test, c, around, false});
    }
  }
  for (const Statement* exit : source.exits_before(statement)) {
    for (const Comparison& c : comparisons_in(exit->condition, "||")) {
      if (auto test = upper_bound(c, true)) found.push_back({*test, c, exit, true});
    }
  }
  return found;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string strict(const Comparison& written) {
  Comparison fixed = written;
  fixed.op = written.op == "<=" ? "<" : written.op == ">=" ? ">" : written.op == "<" ? "<=" : ">=";
  return fixed.text();
}

/// a * p + b with a and b taken for each other: in range then, and both from different directions.
std::optional<std::string> turned(const std::string& index, const Diagnosis& d, uint64_t elements,
                                  const KnownValues& values) {
  const std::vector<Token> tokens = tokens_of(index);
  if (tokens.size() != 5) return std::nullopt;
  size_t times = 0, plus = 0;
  for (size_t i = 0; i < 5; ++i) {
    if (tokens[i].text == "*") times = i;
    if (tokens[i].text == "+") plus = i;
  }
  if (times == 0 || plus == 0) return std::nullopt;
  const size_t alone = plus == 1 ? 0 : 4;
  const std::string b(tokens[alone].text), left(tokens[times - 1].text), right(tokens[times + 1].text);
  const auto vb = value_of(b, values), vl = value_of(left, values), vr = value_of(right, values);
  if (!vb || !vl || !vr || elements == 0) return std::nullopt;
  // The pitch is the side that is no index of a thread: the larger one that b stays below when turned.
  for (const bool left_is_pitch : {false, true}) {
    const std::string& pitch = left_is_pitch ? left : right;
    const std::string& row = left_is_pitch ? right : left;
    const int64_t vp = left_is_pitch ? *vl : *vr, vrow = left_is_pitch ? *vr : *vl;
    if (tokens_of(pitch)[0].kind == Token::Kind::number || row == b) continue;
    const int64_t swapped = *vb * vp + vrow;
    if (vrow < vp && vrow >= 0 && swapped >= 0 && uint64_t(swapped) < elements && *vb != vrow)
      return fmt::format(
          "{} and {} look swapped: a row of {} holds {} elements, and {} * {} + {} stays inside.", row, b,
          d.buffer, pitch, b, pitch, row);
  }
  return std::nullopt;
}

/// The other dimension's length as pitch: y * height + x.
std::optional<std::string> wrong_pitch(const std::string& index, uint64_t elements, const KnownValues& values,
                                       const Situation& situation) {
  const std::vector<Token> tokens = tokens_of(index);
  if (tokens.size() != 5 || tokens[1].text != "*" || tokens[3].text != "+") return std::nullopt;
  const std::string row(tokens[0].text), pitch(tokens[2].text), column(tokens[4].text);
  const auto r = value_of(row, values), p = value_of(pitch, values), c = value_of(column, values);
  if (!r || !p || !c || elements == 0) return std::nullopt;
  for (const KernelParameter& other : situation.kernel.parameters) {
    const auto value = values.find(other.name);
    if (other.pointer || other.name == pitch || value == values.end() || value->second <= 0) continue;
    const auto v = value->second;
    if (uint64_t(v) * uint64_t(*p) == elements && *c < v && v < *p && *r * v + *c < int64_t(elements))
      return fmt::format("A row has {} elements, not {}: write {} * {} + {}.", other.name, pitch, row,
                         other.name, column);
  }
  return std::nullopt;
}

std::optional<std::string> hint_for(const Diagnosis& d, const Situation& situation, const KnownValues& values,
                                    const Subscript* subscript, const Statement& statement) {
  const SourceStructure& source = situation.source;
  const int64_t index = *d.index;
  const auto elements = int64_t(elements_of(d, situation));
  const std::string text =
      subscript && !subscript->indices.empty() ? join(subscript->indices, " ") : std::string();
  const std::vector<std::string> names = SourceStructure::names_in(text);
  const std::vector<std::string> roots = roots_of(names, situation, d.line);
  const std::vector<GuardTest> guards = guards_of(source, statement);

  if (d.space == "shared" && elements == 0 && situation.launch.shared_bytes == 0)
    return fmt::format(
        "{} is dynamic shared memory, and the launch gives it 0 bytes: pass the size as the third number of "
        "<<<grid, block, bytes>>> (here --shared BYTES).",
        d.buffer);
  if (d.space == "shared" && source.declaration(d.buffer, d.line).find("[]") != std::string::npos &&
      situation.launch.shared_bytes > 0 && index >= elements)
    return fmt::format(
        "The launch gives {} bytes of dynamic shared memory, room for {} elements of {}; this index "
        "needs {} bytes.",
        situation.launch.shared_bytes, elements, d.buffer, (index + 1) * int64_t(std::max(1u, d.bytes)));

  if (index < 0) {
    for (const std::string& name : names) {
      const auto value = values.find(name);
      if (value == values.end()) continue;
      if (value->second >= 0 && text.find('-') != std::string::npos)
        return fmt::format(
            "For the first elements {} is negative ({} is {}): treat the edge on its own, for instance "
            "with if ({} >= 0).",
            text, name, value->second, text);
    }
    return std::nullopt;
  }
  if (text.find('-') != std::string::npos && index >= int64_t(0x7fffffff) - 1024) {
    return fmt::format(
        "{} is computed without a sign, so below zero it wraps around to a huge number: test before "
        "you subtract, or use int.",
        text);
  }
  if (subscript && subscript->indices.size() == 1) {
    // Which of the two it is shows by the direction that is multiplied.
    const std::vector<Token> tokens = tokens_of(text);
    const auto first = tokens.empty() ? std::vector<std::string>{}
                                      : roots_of({std::string(tokens[0].text)}, situation, d.line);
    const bool down = contains(first, "threadIdx.y") || contains(first, "blockIdx.y");
    if (down) {
      if (auto hint = wrong_pitch(text, uint64_t(elements), values, situation)) return hint;
    }
    if (auto hint = turned(text, d, uint64_t(elements), values)) return hint;
    // a[n - i] begins behind the end.
    if (tokens.size() == 3 && tokens[1].text == "-" && index == elements &&
        value_of(tokens[0].text, values) == elements) {
      return fmt::format("For {} = 0 this is {}[{}], and the last element is {} - 1: write {} - 1 - {}.",
                         tokens[2].text, d.buffer, tokens[0].text, tokens[0].text, tokens[0].text,
                         tokens[2].text);
    }
  }

  // A test that lets one too many through.
  for (const GuardTest& guard : guards) {
    const auto left = value_of(guard.test.left, values), right = value_of(guard.test.right, values);
    const auto tested = SourceStructure::names_in(guard.test.left);
    const bool about_it =
        std::any_of(tested.begin(), tested.end(), [&](const auto& n) { return contains(names, n); });
    if (!about_it || !left || !right) continue;
    if (guard.test.op == "<=" && *left == *right) {
      const char* what =
          guard.statement->kind == Statement::Kind::loop ? "loop runs while" : "guard lets through";
      return fmt::format("Off by one: the {} {} {}, so {} itself comes through ({} is {}); write {}.", what,
                         guard.test.left, guard.test.op == "<=" ? "<= " + guard.test.right : guard.test.right,
                         guard.test.right, guard.test.right, *right, strict(guard.written));
    }
  }
  // A test of the neighbour's own index is missing: a[i + 1] behind i < n.
  for (const GuardTest& guard : guards) {
    const auto right = value_of(guard.test.right, values), left = value_of(guard.test.left, values);
    if (!right || !left || guard.test.op != "<" || names.empty() || guard.test.left != names[0]) continue;
    const bool added = text.find('+') != std::string::npos && tokens_of(text).size() <= 5;
    if (added && *right <= elements && *left < *right)
      return fmt::format(
          "{} may be as large as {} - 1, and {} is past the end then: let only threads with {} < {} "
          "do this.",
          names[0], guard.test.right, text, text, guard.test.right);
    if (!added && *right > elements && guard.statement->kind == Statement::Kind::loop)
      return fmt::format("The loop runs {} up to {} - 1 ({}), but {} has only {} elements.", names[0],
                         guard.test.right, *right - 1, d.buffer, elements);
    if (!added && *right > elements)
      return fmt::format(
          "The guard lets {} up to {} - 1 ({}), but {} has only {} elements: give {} {} of them, or "
          "pass the right {}.",
          names[0], guard.test.right, *right - 1, d.buffer, elements, d.buffer, *right, guard.test.right);
  }
  if (d.space == "shared" || d.space == "local") {
    const int64_t threads = int64_t(situation.launch.block.x);
    if (d.space == "shared" && names_threads(roots) && elements > 0 && threads > elements && index < threads)
      return fmt::format(
          "A block has {} threads and {} only {} elements: make {} as large as the block, or launch "
          "blocks of {}.",
          threads, d.buffer, elements, d.buffer, elements);
    const std::string declared = source.declaration(d.buffer, d.line);
    if (!declared.empty())
      return fmt::format("It is declared as {}: keep {} below its size, or make it larger.", declared,
                         text.empty()                    ? "the index"
                         : subscript->indices.size() > 1 ? "each index"
                                                         : text);
    return std::nullopt;
  }
  // Some tests, but none of this variable.
  const bool tested = std::any_of(guards.begin(), guards.end(), [&](const GuardTest& guard) {
    const auto own = SourceStructure::names_in(guard.test.left);
    return std::any_of(own.begin(), own.end(), [&](const auto& n) { return contains(roots, n); });
  });
  if (!names.empty() && names_threads(roots)) {
    std::string bound = fmt::format("{}", elements);
    for (const KernelParameter& parameter : situation.kernel.parameters) {
      const auto value = values.find(parameter.name);
      if (!parameter.pointer && value != values.end() && value->second == elements) bound = parameter.name;
    }
    if (!tested) {
      const uint64_t threads = situation.launch.grid.count() * situation.launch.block.count();
      if (names.size() == 1 && bound != fmt::format("{}", elements))
        return fmt::format(
            "The launch has {} threads for {} elements, and nothing stops the rest: guard the work with "
            "if ({} < {}).",
            threads, elements, text, bound);
      return fmt::format(
          "The launch has {} threads for {} elements, and nothing stops the rest: guard the access so "
          "that {} stays below {}.",
          threads, elements, text, bound);
    }
    std::string untested;
    for (const std::string& name : names) {
      const auto value = values.find(name);
      const bool own = std::any_of(guards.begin(), guards.end(), [&](const GuardTest& guard) {
        return contains(SourceStructure::names_in(guard.test.left), name);
      });
      const bool parameter =
          std::any_of(situation.kernel.parameters.begin(), situation.kernel.parameters.end(),
                      [&](const KernelParameter& p) { return p.name == name; });
      if (!own && !parameter && value != values.end()) untested = name;
    }
    if (!untested.empty())
      return fmt::format("The guard tests {}, but {} (here {}) needs a test of its own.",
                         guards.front().test.left, untested, values.at(untested));
  }
  return std::nullopt;
}

/// Which index of several leaves its range, when all of them are known.
struct IndexPastItsRange {
  std::string written;  ///< "tile[3][8]"
  size_t number = 0;    ///< 0 = the first
  uint64_t size = 0;
};

std::optional<IndexPastItsRange> index_past_its_range(const Diagnosis& d, const Subscript& subscript,
                                                      const KnownValues& values, const Situation& situation) {
  const std::vector<uint64_t> sizes = dimensions_of(d, situation);
  if (sizes.size() < 2 || sizes.size() > 3 || subscript.indices.size() != sizes.size()) return std::nullopt;
  IndexPastItsRange found{d.buffer, 0, 0};
  int64_t flat = 0;
  for (size_t k = 0; k < sizes.size(); ++k) {
    const auto value = value_of(subscript.indices[k], values);
    if (!value) return std::nullopt;
    found.written += fmt::format("[{}]", *value);
    flat = flat * int64_t(sizes[k]) + *value;
    if (found.size == 0 && (*value < 0 || uint64_t(*value) >= sizes[k])) {
      found.number = k;
      found.size = sizes[k];
    }
  }
  if (flat != *d.index || found.size == 0) return std::nullopt;
  return found;
}

std::string who(const Diagnosis& d) {
  return fmt::format("Thread ({},{},{}) of block ({},{},{})", d.thread->x, d.thread->y, d.thread->z,
                     d.block->x, d.block->y, d.block->z);
}

/// A kernel that sees a buffer of floats as float4* counts fours: the same access so counted.
Diagnosis as_the_kernel_counts(const Diagnosis& d, const Situation& situation) {
  Diagnosis out = d;
  const std::string start = d.buffer + "[";
  if (d.bytes == 0 || d.element.rfind(start, 0) != 0 || d.element.find(']') + 1 != d.element.size())
    return out;
  const auto index =
      parse_int(std::string_view(d.element).substr(start.size(), d.element.size() - start.size() - 1));
  for (const ArgumentSpec& argument : situation.arguments) {
    if (argument.name != d.buffer || argument.kind != ArgumentSpec::Kind::buffer || !index) continue;
    out.index = *index;
    out.elements = argument.count * bytes_of(argument.type) / d.bytes;
  }
  return out;
}

}  // namespace

void explain_access(Diagnosis& d, const Situation& situation) {
  const Statement* statement = situation.source.at(d.line);
  if (!statement || !d.thread || !d.block || !d.index) return;
  const Diagnosis seen = as_the_kernel_counts(d, situation);
  const KnownValues values = values_of(seen, situation);
  const std::vector<Subscript> subscripts = situation.source.subscripts_on(d.line);
  const Subscript* subscript = find_subscript(subscripts, seen, values);
  if (d.kind.rfind("oob-", 0) == 0 && !d.buffer.empty() && knowledge_of(d.hint) != HintKnows::cause) {
    const char* verb = d.access == "read" ? "reads" : d.access == "write" ? "writes" : "updates";
    const uint64_t elements = elements_of(seen, situation);
    const bool nothing_given = situation.launch.shared_bytes == 0 &&
                               situation.source.declaration(d.buffer, d.line).find("[]") != std::string::npos;
    if (elements == 0 && !nothing_given) return;
    const std::string element = element_of(d, situation);
    std::string size = fmt::format("{} has {} element{}", d.buffer, elements, elements == 1 ? "" : "s");
    if (elements > 1) size += fmt::format(" (0 to {})", elements - 1);
    const std::string declared = situation.source.declaration(d.buffer, d.line);
    if (std::count(declared.begin(), declared.end(), '[') > 1) size = "it is declared as " + declared;
    std::string why;
    // Values that do not lead to this index are not this access'.
    const bool agrees =
        subscript && (subscript->indices.size() != 1 ||
                      value_of(subscript->indices[0], values).value_or(*seen.index) == *seen.index);
    if (agrees) why = values_text(SourceStructure::names_in(join(subscript->indices, " ")), values);
    d.message =
        fmt::format("{} {} {}, but {}{}.", who(d), verb, element, size, why.empty() ? "" : "; " + why);
    if (auto hint = hint_for(seen, situation, values, subscript, *statement)) d.hint = std::move(*hint);
    for (const Subscript& s : subscripts) {
      const auto past = s.base == d.buffer ? index_past_its_range(d, s, values, situation) : std::nullopt;
      if (!past || past->number == 0) continue;
      static constexpr const char* ordinals[] = {"first", "second", "third"};
      const std::string& index = s.indices[past->number];
      const std::string known = values_text(SourceStructure::names_in(index), values);
      d.message =
          fmt::format("{} {} {}, but the {} index of {} goes from 0 to {}{}.", who(d), verb, past->written,
                      ordinals[past->number], d.buffer, past->size - 1, known.empty() ? "" : "; " + known);
      d.hint = fmt::format("{} is declared as {}: keep {} below {}.", d.buffer, declared, index, past->size);
      break;
    }
  }
}

}  // namespace warpbook
