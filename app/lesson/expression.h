#pragma once
// Integer arithmetic over a lesson's controls: + - * / % min max ceil_div, parentheses, names such as n and
// block.x.
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace warpbook {

/// Values by name: "n", "grid.x", "block.x", "T". `block` alone means block.x * block.y * block.z, `grid`
/// likewise.
using Values = std::map<std::string, int64_t>;

/// Errors name the position and what was expected; division by zero and overflow are errors.
Result<int64_t> evaluate(std::string_view expression, const Values& values);
/// Names that the expression uses.
Result<std::vector<std::string>> names_in(std::string_view expression);
/// A text cut at its {expressions}; {{ and }} stand for one brace each.
struct TextPiece {
  bool expression = false;
  std::string text;
};
Result<std::vector<TextPiece>> pieces_of(std::string_view text);
/// Replaces each {expression} in the text by its value.
Result<std::string> fill_in(std::string_view text, const Values& values);

}  // namespace warpbook
