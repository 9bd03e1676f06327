// See source_structure.h.
#include "lab/source_structure.h"

#include <algorithm>
#include <cctype>

namespace warpbook {

/// Statements by recursive descent; anything unknown is a plain statement up to its semicolon.
struct StructureParser {
  SourceStructure& out;
  const std::vector<Token>& tokens;
  size_t at = 0;

  bool is(size_t i, std::string_view text) const { return i < tokens.size() && tokens[i].text == text; }

  /// Index of the bracket that closes the one at `open`; the last token when there is none.
  size_t closing(size_t open) const {
    int depth = 0;
    for (size_t i = open; i < tokens.size(); ++i) {
      const std::string_view t = tokens[i].text;
      if (t == "(" || t == "[" || t == "{") ++depth;
      if (t == ")" || t == "]" || t == "}") {
        if (--depth == 0) return i;
      }
    }
    return tokens.empty() ? 0 : tokens.size() - 1;
  }

  std::unique_ptr<Statement> begin(Statement::Kind kind, const Statement* parent) const {
    auto statement = std::make_unique<Statement>();
    statement->kind = kind;
    statement->parent = parent;
    statement->first = at;
    statement->first_line = at < tokens.size() ? tokens[at].line : 0;
    return statement;
  }
  void end(Statement& statement) const {
    statement.last = at > statement.first ? at - 1 : statement.first;
    if (statement.last < tokens.size()) statement.last_line = tokens[statement.last].line;
  }

  std::unique_ptr<Statement> block(const Statement* parent) {
    auto statement = begin(Statement::Kind::block, parent);
    ++at;
    while (at < tokens.size() && !is(at, "}")) statement->parts.push_back(parse(statement.get()));
    if (at < tokens.size()) ++at;
    end(*statement);
    return statement;
  }

  /// if, while, for: what stands in the brackets, then the body.
  std::unique_ptr<Statement> with_header(Statement::Kind kind, const Statement* parent) {
    auto statement = begin(kind, parent);
    const bool counted = is(at, "for");
    size_t open = at + 1;
    if (is(open, "constexpr")) ++open;
    if (!is(open, "(")) return plain(parent);
    const size_t close = closing(open);
    if (counted) {
      size_t first = open + 1;
      std::vector<std::string> parts;
      for (size_t i = open + 1; i <= close; ++i) {
        if (i != close && !is(i, ";")) continue;
        parts.push_back(i > first ? out.text(first, i - 1) : std::string());
        first = i + 1;
      }
      if (!parts.empty()) statement->first_part = parts[0];
      if (parts.size() > 1) statement->condition = parts[1];
      if (parts.size() > 2) statement->step = parts[2];
    } else if (close > open + 1) {
      statement->condition = out.text(open + 1, close - 1);
    }
    statement->header_line = tokens[close].line;
    at = close + 1;
    if (at < tokens.size()) statement->parts.push_back(parse(statement.get()));
    if (kind == Statement::Kind::condition && is(at, "else")) {
      ++at;
      statement->has_else = true;
      if (at < tokens.size()) {
        statement->parts.push_back(parse(statement.get()));
        statement->parts.back()->in_else = true;
      }
    }
    end(*statement);
    return statement;
  }

  std::unique_ptr<Statement> plain(const Statement* parent) {
    const bool leaves = is(at, "return") || is(at, "break") || is(at, "continue");
    auto statement = begin(leaves ? Statement::Kind::leave : Statement::Kind::plain, parent);
    while (at < tokens.size() && !is(at, ";") && !is(at, "}")) {
      const std::string_view t = tokens[at].text;
      at = t == "(" || t == "[" || t == "{" ? closing(at) + 1 : at + 1;
    }
    if (is(at, ";")) ++at;
    if (at == statement->first) ++at;  // never stays where it is
    end(*statement);
    return statement;
  }

  std::unique_ptr<Statement> parse(const Statement* parent) {
    if (is(at, "{")) return block(parent);
    if (is(at, "if") || is(at, "switch")) return with_header(Statement::Kind::condition, parent);
    if (is(at, "for") || is(at, "while")) return with_header(Statement::Kind::loop, parent);
    if (is(at, "do")) {
      auto statement = begin(Statement::Kind::loop, parent);
      ++at;
      if (at < tokens.size()) statement->parts.push_back(parse(statement.get()));
      if (is(at, "while") && is(at + 1, "(")) {
        const size_t close = closing(at + 1);
        statement->condition = close > at + 2 ? out.text(at + 2, close - 1) : std::string();
        statement->header_line = tokens[close].line;
        at = close + 1;
        if (is(at, ";")) ++at;
      }
      end(*statement);
      return statement;
    }
    return plain(parent);
  }

  void run() {
    while (at < tokens.size()) {
      // A body stands behind the brackets of its parameters.
      if (is(at, "{") && at > 0 && is(at - 1, ")")) {
        out.functions_.push_back(block(nullptr));
      } else {
        ++at;
      }
    }
  }
};

SourceStructure::SourceStructure(std::string_view source) : source_(source) {
  tokens_ = tokens_of(source_);
  StructureParser{*this, tokens_}.run();
}

std::string SourceStructure::text(size_t first, size_t last) const {
  if (first >= tokens_.size() || last < first) return {};
  last = std::min(last, tokens_.size() - 1);
  const size_t end = tokens_[last].offset + tokens_[last].text.size();
  std::string out;
  for (const char c : std::string_view(source_).substr(tokens_[first].offset, end - tokens_[first].offset)) {
    const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!blank) {
      out += c;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  return out;
}

namespace {

const Statement* innermost(const Statement& statement, int line) {
  if (line < statement.first_line || line > statement.last_line) return nullptr;
  for (const auto& part : statement.parts) {
    if (const Statement* found = innermost(*part, line)) return found;
  }
  return &statement;
}

bool is_leaving(const Statement& statement) {
  if (statement.kind == Statement::Kind::leave) return true;
  return statement.kind == Statement::Kind::block && !statement.parts.empty() &&
         is_leaving(*statement.parts.back());
}

void gather_plain(const Statement& statement, std::vector<const Statement*>& found) {
  if (statement.kind == Statement::Kind::plain || statement.kind == Statement::Kind::leave)
    found.push_back(&statement);
  for (const auto& part : statement.parts) gather_plain(*part, found);
}

}  // namespace

const Statement* SourceStructure::function_at(int line) const {
  for (const auto& function : functions_) {
    if (line >= function->first_line && line <= function->last_line) return function.get();
  }
  return nullptr;
}

const Statement* SourceStructure::at(int line) const {
  const Statement* function = function_at(line);
  return function ? innermost(*function, line) : nullptr;
}

std::vector<const Statement*> SourceStructure::around(const Statement& statement) const {
  std::vector<const Statement*> found;
  for (const Statement* s = &statement; s; s = s->parent) {
    if (s->kind == Statement::Kind::condition || s->kind == Statement::Kind::loop) found.push_back(s);
  }
  return found;
}

std::vector<const Statement*> SourceStructure::exits_before(const Statement& statement) const {
  std::vector<const Statement*> found;
  for (const Statement* s = &statement; s->parent; s = s->parent) {
    if (s->parent->kind != Statement::Kind::block) continue;
    for (const auto& part : s->parent->parts) {
      if (part.get() == s) break;
      if (part->kind == Statement::Kind::condition && !part->parts.empty() && is_leaving(*part->parts[0]))
        found.push_back(part.get());
    }
  }
  return found;
}

std::vector<const Statement*> SourceStructure::plain_statements(const Statement& body) const {
  std::vector<const Statement*> found;
  gather_plain(body, found);
  return found;
}

std::vector<Subscript> SourceStructure::subscripts(size_t first, size_t last) const {
  std::vector<Subscript> found;
  const auto closing = [&](size_t open) {
    int depth = 0;
    for (size_t i = open; i < tokens_.size(); ++i) {
      if (tokens_[i].text == "[" || tokens_[i].text == "(") ++depth;
      if ((tokens_[i].text == "]" || tokens_[i].text == ")") && --depth == 0) return i;
    }
    return tokens_.size() - 1;
  };
  for (size_t i = first; i + 1 <= last && i + 1 < tokens_.size(); ++i) {
    if (tokens_[i].kind != Token::Kind::word || tokens_[i + 1].text != "[") continue;
    Subscript s;
    s.base = tokens_[i].text;
    s.token = i;
    for (size_t k = i; k >= 2 && tokens_[k - 1].text == "." && tokens_[k - 2].kind == Token::Kind::word;
         k -= 2)
      s.base = std::string(tokens_[k - 2].text) + "." + s.base;
    size_t end = i;
    while (end + 1 < tokens_.size() && tokens_[end + 1].text == "[") {
      const size_t close = closing(end + 1);
      s.indices.push_back(close > end + 2 ? text(end + 2, close - 1) : std::string());
      end = close;
    }
    // Members and a second operator may follow: a[i].x += 1 stores as well.
    size_t after = end + 1;
    while (after + 1 < tokens_.size() && tokens_[after].text == ".") after += 2;
    if (after < tokens_.size()) {
      const std::string_view t = tokens_[after].text;
      const bool doubled = after + 1 < tokens_.size() && tokens_[after + 1].text == "=" &&
                           tokens_[after + 1].offset == tokens_[after].offset + t.size();
      static constexpr std::string_view operators[] = {"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"};
      const bool arithmetic = std::find(std::begin(operators), std::end(operators), t) != std::end(operators);
      const bool counts = (t == "+" || t == "-") && after + 1 < tokens_.size() &&
                          tokens_[after + 1].text == t &&
                          tokens_[after + 1].offset == tokens_[after].offset + 1;
      s.updated = (arithmetic && doubled) || counts;
      s.stored = t == "=" || s.updated;
    }
    found.push_back(std::move(s));
  }
  return found;
}

std::vector<Subscript> SourceStructure::subscripts_on(int line) const {
  size_t first = tokens_.size(), last = 0;
  for (size_t i = 0; i < tokens_.size(); ++i) {
    if (tokens_[i].line != line) continue;
    first = std::min(first, i);
    last = i;
  }
  return first < tokens_.size() ? subscripts(first, last) : std::vector<Subscript>{};
}

std::vector<std::string> SourceStructure::names_in(std::string_view text) {
  const std::vector<Token> tokens = tokens_of(text);
  std::vector<std::string> names;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != Token::Kind::word) continue;
    std::string name(tokens[i].text);
    const bool member = i > 0 && (tokens[i - 1].text == "." || tokens[i - 1].text == "->");
    const bool called = i + 1 < tokens.size() && tokens[i + 1].text == "(";
    if (member || called) continue;
    static constexpr std::string_view builtin[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
    if (std::find(std::begin(builtin), std::end(builtin), name) != std::end(builtin) && i + 2 < tokens.size())
      name += "." + std::string(tokens[i + 2].text);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

std::string SourceStructure::declaration(const std::string& name, int line) const {
  const Statement* function = function_at(line);
  std::string best;
  for (size_t i = 1; i < tokens_.size(); ++i) {
    if (tokens_[i].text != name || tokens_[i].kind != Token::Kind::word) continue;
    if (tokens_[i].line > line) break;
    const Token& before = tokens_[i - 1];
    const bool typed =
        (before.kind == Token::Kind::word && before.text != "return" && before.text != "else") ||
        before.text == "*" || before.text == "&" || before.text == ",";
    if (!typed) continue;
    size_t start = i;
    while (start > 0 && tokens_[start - 1].text != ";" && tokens_[start - 1].text != "{" &&
           tokens_[start - 1].text != "}" && tokens_[start - 1].text != "(")
      --start;
    if (start == i || tokens_[start].kind != Token::Kind::word) continue;
    if (before.text == "*" && start + 1 == i) continue;
    bool assigned = false;
    for (size_t k = start; k < i; ++k) assigned |= tokens_[k].text == "=" || tokens_[k].text == "[";
    if (assigned && before.text != ",") continue;
    size_t end = i;
    while (end + 1 < tokens_.size() && tokens_[end + 1].text == "[") {
      while (end + 1 < tokens_.size() && tokens_[end + 1].text != "]") ++end;
      ++end;
    }
    // Of a list only the type and this name.
    size_t type_end = start;
    while (type_end + 1 < i && tokens_[type_end + 1].kind == Token::Kind::word) ++type_end;
    std::string declared;
    for (size_t k = start; k <= std::min(type_end, i - 1); ++k) {
      if (tokens_[k].text == "__shared__" || tokens_[k].text == "extern" || tokens_[k].text == "const" ||
          tokens_[k].text == "__constant__" || tokens_[k].text == "__device__" || tokens_[k].text == "static")
        continue;
      if (tokens_[k].kind == Token::Kind::word && k < i) declared += std::string(tokens_[k].text) + " ";
    }
    declared += text(i, end);
    const bool own = function && tokens_[i].line >= function->first_line;
    if (best.empty() || own) best = declared;
  }
  return best;
}

namespace {

struct Evaluator {
  const std::vector<Token>& tokens;
  const KnownValues& values;
  size_t at = 0;
  bool good = true;

  bool take(std::string_view text) {
    if (at >= tokens.size() || tokens[at].text != text) return false;
    ++at;
    return true;
  }

  int64_t primary() {
    if (take("(")) {
      // A cast such as (int)x changes nothing here.
      if (at + 1 < tokens.size() && tokens[at + 1].text == ")" &&
          (tokens[at].text == "int" || tokens[at].text == "unsigned" || tokens[at].text == "long" ||
           tokens[at].text == "size_t")) {
        at += 2;
        return unary();
      }
      const int64_t value = binary(0);
      if (!take(")")) good = false;
      return value;
    }
    if (at >= tokens.size()) {
      good = false;
      return 0;
    }
    const Token& token = tokens[at++];
    if (token.kind == Token::Kind::number) {
      std::string digits(token.text);
      while (!digits.empty() && std::string_view("uUlL").find(digits.back()) != std::string_view::npos)
        digits.pop_back();
      int64_t value = 0;
      const bool hex = digits.size() > 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
      for (size_t i = hex ? 2 : 0; i < digits.size(); ++i) {
        const char c = char(std::tolower(static_cast<unsigned char>(digits[i])));
        const int digit = c >= '0' && c <= '9' ? c - '0' : hex && c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (digit < 0) good = false;
        value = value * (hex ? 16 : 10) + std::max(digit, 0);
      }
      return value;
    }
    std::string name(token.text);
    while (at + 1 < tokens.size() && tokens[at].text == "." && tokens[at + 1].kind == Token::Kind::word) {
      name += "." + std::string(tokens[at + 1].text);
      at += 2;
    }
    const auto known = values.find(name);
    if (token.kind != Token::Kind::word || known == values.end()) {
      good = false;
      return 0;
    }
    return known->second;
  }

  int64_t unary() {
    if (take("-")) return -unary();
    if (take("+")) return unary();
    if (take("!")) return !unary();
    return primary();
  }

  static int precedence(std::string_view op) {
    static const std::map<std::string_view, int> table = {
        {"||", 1}, {"&&", 2}, {"|", 3},  {"^", 4},  {"&", 5}, {"==", 6}, {"!=", 6}, {"<", 7},  {">", 7},
        {"<=", 7}, {">=", 7}, {"<<", 8}, {">>", 8}, {"+", 9}, {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};
    const auto found = table.find(op);
    return found == table.end() ? 0 : found->second;
  }

  int64_t apply(std::string_view op, int64_t a, int64_t b) {
    if ((op == "/" || op == "%") && b == 0) {
      good = false;
      return 0;
    }
    const auto wrapped = [](uint64_t v) { return int64_t(v); };
    if (op == "+") return wrapped(uint64_t(a) + uint64_t(b));
    if (op == "-") return wrapped(uint64_t(a) - uint64_t(b));
    if (op == "*") return wrapped(uint64_t(a) * uint64_t(b));
    if (op == "/") return b == -1 ? wrapped(-uint64_t(a)) : a / b;
    if (op == "%") return b == -1 ? 0 : a % b;
    if (op == "<<") return b >= 0 && b < 63 ? wrapped(uint64_t(a) << b) : 0;
    if (op == ">>") return b >= 0 && b < 63 ? a >> b : 0;
    if (op == "&") return a & b;
    if (op == "|") return a | b;
    if (op == "^") return a ^ b;
    if (op == "<") return a < b;
    if (op == ">") return a > b;
    if (op == "<=") return a <= b;
    if (op == ">=") return a >= b;
    if (op == "==") return a == b;
    if (op == "!=") return a != b;
    if (op == "&&") return a && b;
    return a || b;
  }

  int64_t binary(int lowest) {
    int64_t left = unary();
    while (good && at < tokens.size()) {
      const std::string_view op = tokens[at].text;
      const int own = precedence(op);
      if (own == 0 || own <= lowest) break;
      ++at;
      const int64_t right = binary(own);
      left = apply(op, left, right);
    }
    return left;
  }
};

}  // namespace

std::optional<int64_t> value_of(std::string_view expression, const KnownValues& values) {
  const std::vector<Token> tokens = tokens_of(expression);
  if (tokens.empty()) return std::nullopt;
  Evaluator evaluator{tokens, values};
  const int64_t value = evaluator.binary(0);
  if (!evaluator.good || evaluator.at != tokens.size()) return std::nullopt;
  return value;
}

}  // namespace warpbook
