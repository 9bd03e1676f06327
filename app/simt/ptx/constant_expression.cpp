#include "simt/ptx/constant_expression.h"

#include <array>

namespace warpbook::ptx {
namespace {

constexpr int product_level = 10;
constexpr int deepest = 32;  // of parentheses and signs; text may claim anything

struct Operator {
  std::string_view text;
  int level;  ///< binds the tighter the higher
};
/// Longer ones before those that they begin with.
constexpr std::array<Operator, 18> operators{{{"||", 1},
                                              {"&&", 2},
                                              {"<<", 8},
                                              {">>", 8},
                                              {"==", 6},
                                              {"!=", 6},
                                              {"<=", 7},
                                              {">=", 7},
                                              {"<", 7},
                                              {">", 7},
                                              {"|", 3},
                                              {"^", 4},
                                              {"&", 5},
                                              {"+", 9},
                                              {"-", 9},
                                              {"*", product_level},
                                              {"/", product_level},
                                              {"%", product_level}}};

bool is_unsigned(const Number& n) { return n.literal == Type::u64; }
Number number_of(uint64_t bits, bool has_no_sign) { return {has_no_sign ? Type::u64 : Type::s64, bits}; }

std::optional<Number> computed(std::string_view op, const Number& a, const Number& b) {
  const bool no_sign = is_unsigned(a) || is_unsigned(b);
  const uint64_t x = a.bits, y = b.bits;
  const auto sx = int64_t(x), sy = int64_t(y);
  const auto truth = [](bool value) { return number_of(value, false); };
  const bool less = no_sign ? x < y : sx < sy;
  if (op == "+") return number_of(x + y, no_sign);
  if (op == "-") return number_of(x - y, no_sign);
  if (op == "*") return number_of(x * y, no_sign);
  if (op == "/" || op == "%") {
    if (y == 0) return std::nullopt;
    const bool rest = op == "%";
    if (no_sign) return number_of(rest ? x % y : x / y, true);
    if (sy == -1) return number_of(rest ? 0 : 0 - x, false);  // the lowest by -1 has no quotient in C++
    return number_of(uint64_t(rest ? sx % sy : sx / sy), false);
  }
  // A shift has its left operand's type.
  if (op == "<<") return number_of(y > 63 ? 0 : x << y, is_unsigned(a));
  if (op == ">>") {
    if (is_unsigned(a)) return number_of(y > 63 ? 0 : x >> y, true);
    return number_of(uint64_t(sx >> (y > 63 ? 63 : y)), false);
  }
  if (op == "&") return number_of(x & y, no_sign);
  if (op == "|") return number_of(x | y, no_sign);
  if (op == "^") return number_of(x ^ y, no_sign);
  if (op == "==") return truth(x == y);
  if (op == "!=") return truth(x != y);
  if (op == "<") return truth(less);
  if (op == ">") return truth(!less && x != y);
  if (op == "<=") return truth(less || x == y);
  if (op == ">=") return truth(!less);
  if (op == "&&") return truth(x != 0 && y != 0);
  return truth(x != 0 || y != 0);
}

class Reader {
 public:
  explicit Reader(Scanner& scanner) : scanner_(scanner) {}

  std::optional<Number> whole(int depth = 0) {
    const auto condition = from_level(1, depth);
    if (!condition || is_float(condition->literal) || !scanner_.accept('?')) return condition;
    if (depth > deepest) return std::nullopt;
    const auto yes = whole(depth + 1);
    if (!yes || !scanner_.accept(':')) return std::nullopt;
    const auto no = whole(depth + 1);
    if (!no) return std::nullopt;
    return condition->bits ? yes : no;
  }

  /// Operators of this level and above.
  std::optional<Number> from_level(int level, int depth) {
    auto left = single(depth);
    while (left && !is_float(left->literal)) {
      const Operator* op = next(level);
      if (!op) break;
      const auto right = from_level(op->level + 1, depth + 1);
      if (!right || is_float(right->literal)) return std::nullopt;
      left = computed(op->text, *left, *right);
    }
    return left;
  }

 private:
  /// Past the next operator when its level is high enough.
  const Operator* next(int level) {
    const char c = scanner_.peek();
    if (c == ',' || c == ';' || c == '}' || c == ']') return nullptr;  // by far the most common
    for (const Operator& op : operators) {
      if (op.text[0] != c) continue;
      const size_t position = scanner_.position();
      const uint32_t line = scanner_.line();
      scanner_.accept(c);
      if (op.text.size() == 2) {
        if (scanner_.peek_raw() != op.text[1]) {
          scanner_.rewind(position, line);
          continue;
        }
        scanner_.accept(op.text[1]);
      }
      if (op.level >= level) return &op;
      scanner_.rewind(position, line);
      return nullptr;
    }
    return nullptr;
  }

  std::optional<Number> single(int depth) {
    if (depth > deepest) return std::nullopt;
    if (const auto literal = scanner_.number()) return literal;
    if (scanner_.accept('(')) {
      // A cast, or parentheses.
      const std::string_view cast = scanner_.peek() == '.' ? scanner_.dotted() : std::string_view();
      if (!cast.empty()) {
        if ((cast != "s64" && cast != "u64") || !scanner_.accept(')')) return std::nullopt;
        const auto inner = single(depth + 1);
        if (!inner || is_float(inner->literal)) return std::nullopt;
        return number_of(inner->bits, cast == "u64");
      }
      const auto inner = whole(depth + 1);
      return inner && scanner_.accept(')') ? inner : std::nullopt;
    }
    for (const char sign : {'-', '+', '~', '!'}) {
      if (!scanner_.accept(sign)) continue;
      const auto inner = single(depth + 1);
      if (!inner || is_float(inner->literal)) return std::nullopt;
      if (sign == '+') return inner;
      if (sign == '!') return number_of(inner->bits == 0, false);
      return number_of(sign == '-' ? 0 - inner->bits : ~inner->bits, is_unsigned(*inner));
    }
    return std::nullopt;
  }

  Scanner& scanner_;
};

}  // namespace

std::optional<Number> constant_expression(Scanner& scanner) { return Reader(scanner).whole(); }

std::optional<uint64_t> constant_product(Scanner& scanner) {
  const auto product = Reader(scanner).from_level(product_level, 0);
  if (!product || is_float(product->literal)) return std::nullopt;
  return product->bits;
}

}  // namespace warpbook::ptx
