#pragma once
// What lesson.json and a quiz have in common: expressions, texts with expressions in them, names, margins.
#include <string>
#include <vector>

#include "lesson/json_reader.h"

namespace warpbook {

/// A text that parses as an expression, or a whole number.
std::string read_expression(const JsonNode& node);
/// Text for people whose {braces} must parse.
LocalText read_filled_text(const JsonNode& node);
/// A number from 0; 0 when absent.
double read_margin(const JsonNode& node);
/// The items of a list, none when the node is absent.
std::vector<JsonNode> list_or_nothing(const JsonNode& node);
/// Names of labs, exercises and questions: lower-case letters, digits and hyphens.
void check_name(const std::string& name, const JsonNode& node);
bool is_slug(std::string_view name);

}  // namespace warpbook
