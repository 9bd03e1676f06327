// A small recursive reader of LaTeX math. Scripts become Unicode characters only when every character of the
// script has one; otherwise they stay readable as ^(...) and _(...).
#include "lesson/math_text.h"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "base/text.h"

namespace warpbook {

namespace {

using Table = std::map<std::string, std::string, std::less<>>;

const Table& commands() {
  static const Table table{
      {"times", "×"},    {"cdot", "·"},       {"div", "÷"},       {"pm", "±"},      {"le", "≤"},
      {"leq", "≤"},      {"ge", "≥"},         {"geq", "≥"},       {"ne", "≠"},      {"neq", "≠"},
      {"approx", "≈"},   {"sim", "∼"},        {"equiv", "≡"},     {"ll", "≪"},      {"gg", "≫"},
      {"to", "→"},       {"rightarrow", "→"}, {"leftarrow", "←"}, {"mapsto", "↦"},  {"sum", "∑"},
      {"prod", "∏"},     {"int", "∫"},        {"infty", "∞"},     {"partial", "∂"}, {"in", "∈"},
      {"notin", "∉"},    {"cup", "∪"},        {"cap", "∩"},       {"subset", "⊂"},  {"forall", "∀"},
      {"exists", "∃"},   {"land", "∧"},       {"lor", "∨"},       {"lceil", "⌈"},   {"rceil", "⌉"},
      {"lfloor", "⌊"},   {"rfloor", "⌋"},     {"ldots", "…"},     {"dots", "…"},    {"cdots", "⋯"},
      {"prime", "′"},    {"alpha", "α"},      {"beta", "β"},      {"gamma", "γ"},   {"delta", "δ"},
      {"epsilon", "ε"},  {"eta", "η"},        {"theta", "θ"},     {"kappa", "κ"},   {"lambda", "λ"},
      {"mu", "μ"},       {"nu", "ν"},         {"pi", "π"},        {"rho", "ρ"},     {"sigma", "σ"},
      {"tau", "τ"},      {"phi", "φ"},        {"chi", "χ"},       {"psi", "ψ"},     {"omega", "ω"},
      {"Gamma", "Γ"},    {"Delta", "Δ"},      {"Theta", "Θ"},     {"Lambda", "Λ"},  {"Pi", "Π"},
      {"Sigma", "Σ"},    {"Phi", "Φ"},        {"Psi", "Ψ"},       {"Omega", "Ω"},   {"quad", "  "},
      {"qquad", "    "}, {",", " "},          {";", " "},         {":", " "},       {"!", ""},
      {" ", " "},        {"{", "{"},          {"}", "}"},         {"%", "%"},       {"$", "$"},
      {"#", "#"},        {"_", "_"},          {"&", "&"},         {"left", ""},     {"right", ""},
      {"min", "min"},    {"max", "max"},      {"log", "log"},     {"ln", "ln"},     {"sin", "sin"},
      {"cos", "cos"},    {"exp", "exp"},      {"bmod", "mod"},    {"mod", "mod"},   {"lvert", "|"},
      {"rvert", "|"},    {"|", "‖"},          {"\\", " "}};
  return table;
}

const Table& superscripts() {
  static const Table table{{"0", "⁰"}, {"1", "¹"}, {"2", "²"}, {"3", "³"}, {"4", "⁴"}, {"5", "⁵"},
                           {"6", "⁶"}, {"7", "⁷"}, {"8", "⁸"}, {"9", "⁹"}, {"+", "⁺"}, {"-", "⁻"},
                           {"=", "⁼"}, {"(", "⁽"}, {")", "⁾"}, {"n", "ⁿ"}, {"i", "ⁱ"}};
  return table;
}

const Table& subscripts() {
  static const Table table{{"0", "₀"}, {"1", "₁"}, {"2", "₂"}, {"3", "₃"}, {"4", "₄"}, {"5", "₅"}, {"6", "₆"},
                           {"7", "₇"}, {"8", "₈"}, {"9", "₉"}, {"+", "₊"}, {"-", "₋"}, {"=", "₌"}, {"(", "₍"},
                           {")", "₎"}, {"a", "ₐ"}, {"e", "ₑ"}, {"o", "ₒ"}, {"x", "ₓ"}, {"i", "ᵢ"}, {"r", "ᵣ"},
                           {"u", "ᵤ"}, {"v", "ᵥ"}, {"h", "ₕ"}, {"k", "ₖ"}, {"l", "ₗ"}, {"m", "ₘ"}, {"n", "ₙ"},
                           {"p", "ₚ"}, {"s", "ₛ"}, {"t", "ₜ"}};
  return table;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// The script characters of a text, or nothing when one is missing.
std::optional<std::string> scripted(const std::string& text, const Table& table) {
  std::string result;
  for (const char c : text) {
    const auto found = table.find(std::string_view(&c, 1));
    if (found == table.end()) return std::nullopt;
    result += found->second;
  }
  return result;
}

std::string in_parentheses_if_composite(const std::string& text) {
  const bool composite = text.find_first_of(" +-*/×·") != std::string::npos;
  return composite ? fmt::format("({})", text) : text;
}

class Reader {
 public:
  explicit Reader(std::string_view latex) : text_(latex) {}

  std::string all() {
    std::string result;
    while (at_ < text_.size()) {
      if (text_[at_] == '}') {
        if (depth_ > 0) break;
        result += text_[at_++];
      } else {
        result += one(result);
      }
    }
    return result;
  }

 private:
  /// An argument: a group in braces, a command or one character.
  std::string argument() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? one({}) : std::string();
  }

  std::string group() {
    ++at_;
    if (depth_ >= 32) return "{";
    ++depth_;
    std::string inside = all();
    --depth_;
    if (at_ < text_.size()) ++at_;  // the closing brace
    return inside;
  }

  std::string one(const std::string& before) {
    const char c = text_[at_];
    if (c == '\\') return command();
    if (c == '{') return group();
    if (c == '^' || c == '_') {
      ++at_;
      return script(c);
    }
    if (c == '~') {
      ++at_;
      return " ";
    }
    if (c == ' ' && !before.empty() && before.back() == ' ') {
      ++at_;
      return {};
    }
    const size_t start = at_++;  // one whole UTF-8 character
    while (at_ < text_.size() && (static_cast<unsigned char>(text_[at_]) & 0xC0) == 0x80) ++at_;
    return std::string(text_.substr(start, at_ - start));
  }

  std::string script(char kind) {
    const std::string inside = argument();
    if (const auto small = scripted(inside, kind == '^' ? superscripts() : subscripts())) return *small;
    const bool short_enough = decode_utf8(inside).size() == 1;
    return short_enough ? fmt::format("{}{}", kind, inside) : fmt::format("{}({})", kind, inside);
  }

  std::string command() {
    const size_t start = ++at_;
    if (at_ >= text_.size()) return "\\";
    if (is_letter(text_[at_])) {
      while (at_ < text_.size() && is_letter(text_[at_])) ++at_;
    } else {
      ++at_;
    }
    const std::string_view name = text_.substr(start, at_ - start);
    if (name == "frac" || name == "dfrac" || name == "tfrac") {
      const std::string above = argument(), below = argument();
      return in_parentheses_if_composite(above) + "/" + in_parentheses_if_composite(below);
    }
    if (name == "sqrt") return fmt::format("√({})", argument());
    if (name == "text" || name == "mathrm" || name == "mathit" || name == "operatorname" ||
        name == "texttt") {
      return argument();
    }
    const auto found = commands().find(name);
    if (found == commands().end()) return fmt::format("\\{}", name);
    // A space after a letter command only ends its name; before a bracket it would also be drawn.
    const bool opens = name == "lceil" || name == "lfloor" || name == "left" || name == "right";
    if (opens && at_ < text_.size() && text_[at_] == ' ') ++at_;
    return found->second;
  }

  std::string_view text_;
  size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

std::string math_as_text(std::string_view latex) {
  std::string result = Reader(latex).all();
  result = replace_all(replace_all(result, " ⌉", "⌉"), " ⌋", "⌋");
  return std::string(trim(result));
}

}  // namespace warpbook
