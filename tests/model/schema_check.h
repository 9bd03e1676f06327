#pragma once
// The part of JSON Schema that the project's schemas use, enough to hold a file against one.
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

namespace schema_check {

using nlohmann::json;

/// The pointer of the first value that breaks the schema with the rule that it breaks, or empty.
inline std::string problem(const json& value, const json& rule, const json& root,
                           const std::string& at = "") {
  if (rule.contains("$ref"))
    return problem(value, root.at(json::json_pointer(rule["$ref"].get<std::string>().substr(1))), root, at);
  if (rule.contains("enum")) {
    for (const json& allowed : rule["enum"])
      if (allowed == value) return {};
    return at + ": enum";
  }
  const std::string type = rule.value("type", "");
  const bool fits = type.empty() || (type == "object" && value.is_object()) ||
                    (type == "array" && value.is_array()) || (type == "string" && value.is_string()) ||
                    (type == "number" && value.is_number()) ||
                    (type == "integer" && value.is_number_integer());
  if (!fits) return at + ": type " + type;
  if (value.is_number() && rule.contains("minimum") && value.get<double>() < rule["minimum"].get<double>())
    return at + ": minimum";
  if (value.is_number() && rule.contains("maximum") && value.get<double>() > rule["maximum"].get<double>())
    return at + ": maximum";
  if (value.is_string()) {
    if (value.get<std::string>().size() < rule.value("minLength", std::size_t{0})) return at + ": minLength";
    if (rule.contains("pattern") &&
        !std::regex_search(value.get<std::string>(), std::regex(rule["pattern"].get<std::string>())))
      return at + ": pattern";
  }
  if (value.is_array()) {
    if (value.size() < rule.value("minItems", std::size_t{0}) ||
        value.size() > rule.value("maxItems", std::size_t{100000}))
      return at + ": number of items";
    for (std::size_t i = 0; rule.contains("items") && i < value.size(); ++i)
      if (auto found = problem(value[i], rule["items"], root, at + "/" + std::to_string(i)); !found.empty())
        return found;
  }
  if (value.is_object()) {
    for (const json& key : rule.value("required", json::array()))
      if (!value.contains(key.get<std::string>())) return at + "/" + key.get<std::string>() + ": required";
    const json properties = rule.value("properties", json::object());
    const json others = rule.value("additionalProperties", json(true));
    for (const auto& [key, child] : value.items()) {
      if (properties.contains(key)) {
        if (auto found = problem(child, properties[key], root, at + "/" + key); !found.empty()) return found;
      } else if (others.is_object()) {
        if (auto found = problem(child, others, root, at + "/" + key); !found.empty()) return found;
      } else if (others == false) {
        return at + "/" + key + ": additionalProperties";
      }
    }
  }
  return {};
}

}  // namespace schema_check
