// Typed, forgiving reading: after the first mistake every read still gives a value, and the first mistake is
// reported.
#include "lesson/json_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "lesson/json_positions.h"

namespace warpbook {

using nlohmann::ordered_json;

namespace {

std::string_view type_in_words(const ordered_json& value) {
  switch (value.type()) {
    case ordered_json::value_t::null: return "null";
    case ordered_json::value_t::object: return "an object";
    case ordered_json::value_t::array: return "a list";
    case ordered_json::value_t::string: return "a text";
    case ordered_json::value_t::boolean: return "true or false";
    case ordered_json::value_t::number_float: return "a number with a fraction or exponent";
    default: return "a whole number";
  }
}

/// The library's own sentence without its tag and place, which our Location carries.
std::string syntax_message(std::string what) {
  const size_t colon = what.find(": ", what.find("column "));
  if (colon != std::string::npos) what = what.substr(colon + 2);
  return "This is not JSON: " + what;
}

}  // namespace

struct JsonReader::State {
  std::string text, file;
  ordered_json root;
  JsonPositions positions;
};

JsonReader::JsonReader() : state_(std::make_unique<State>()) {}
JsonReader::~JsonReader() = default;

Result<std::unique_ptr<JsonReader>> JsonReader::parse(std::string text, std::string file) {
  const auto at = [&](size_t offset, std::string message, std::string hint = {}) {
    return Error{std::move(message), Trouble::bad_input, location_of(text, offset, file), std::move(hint)};
  };
  if (trim(text).empty())
    return Error{"The file is empty; expected a JSON object.", Trouble::bad_input, {file, 1, 1}, {}};
  if (const size_t bad = text.find('\0'); bad != std::string::npos) {
    return at(bad, "The file holds a NUL byte.", "Save it as plain UTF-8 text.");
  }
  if (const size_t bad = first_invalid_utf8(text); bad != std::string_view::npos) {
    return at(bad, "The file is not valid UTF-8.", "Save it as plain UTF-8 text.");
  }
  if (const size_t deep = first_too_deep(text); deep != std::string_view::npos) {
    return at(deep, fmt::format("The file nests deeper than {} levels.", max_json_depth));
  }
  std::unique_ptr<JsonReader> reader(new JsonReader);
  try {
    reader->state_->root = ordered_json::parse(text, nullptr, true, true);
  } catch (const ordered_json::parse_error& error) {
    return at(error.byte > 0 ? error.byte - 1 : 0, syntax_message(error.what()));
  } catch (const std::exception& error) {  // a number beyond double's range
    return Error{fmt::format("This is not JSON that can be read: {}.", error.what()),
                 Trouble::bad_input,
                 {file, 1, 1},
                 {}};
  }
  reader->state_->positions = json_positions(text);
  if (!reader->state_->positions.duplicate.empty()) {
    const JsonPositions& positions = reader->state_->positions;
    return at(positions.duplicate_offset,
              fmt::format("{}: this key stands twice in one object.", positions.duplicate));
  }
  reader->state_->text = std::move(text);
  reader->state_->file = std::move(file);
  return reader;
}

JsonNode JsonReader::root() { return {this, &state_->root, ""}; }

Location JsonReader::locate(std::string pointer) const {
  for (;;) {
    const auto found = state_->positions.offset.find(pointer);
    if (found != state_->positions.offset.end())
      return location_of(state_->text, found->second, state_->file);
    if (pointer.empty()) return {state_->file, 1, 1};
    pointer.resize(pointer.rfind('/'));
  }
}

void JsonReader::fail(const std::string& pointer, const std::string& message) {
  if (failed_) return;
  failed_ = true;
  error_ = {fmt::format("{}: {}", pointer.empty() ? "/" : pointer, message),
            Trouble::bad_input,
            locate(pointer),
            {}};
}

void JsonNode::fail(const std::string& message) const {
  if (reader_) reader_->fail(pointer_, message);
}

bool JsonNode::expect(bool holds, std::string_view what) const {
  if (!holds) fail(fmt::format("expected {}, found {}.", what, type_in_words(*value_)));
  return holds;
}

bool JsonNode::is_text() const { return value_ && value_->is_string(); }
bool JsonNode::is_number() const { return value_ && value_->is_number(); }
bool JsonNode::is_array() const { return value_ && value_->is_array(); }
bool JsonNode::is_object() const { return value_ && value_->is_object(); }

std::string JsonNode::text(std::string fallback) const {
  if (!value_ || !expect(value_->is_string(), "a text")) return fallback;
  return value_->get<std::string>();
}

int64_t JsonNode::integer(int64_t fallback, int64_t min, int64_t max) const {
  if (!value_) return fallback;
  if (value_->is_number_unsigned() && value_->get<uint64_t>() > uint64_t(INT64_MAX)) {
    fail("the number does not fit into 64 bits with sign.");
    return fallback;
  }
  if (!expect(value_->is_number_integer(), "a whole number")) return fallback;
  const int64_t number = value_->get<int64_t>();
  if (number >= min && number <= max) return number;
  if (max == INT64_MAX) {
    fail(fmt::format("expected at least {}, found {}.", min, number));
  } else {
    fail(fmt::format("expected a whole number from {} to {}, found {}.", min, max, number));
  }
  return fallback;
}

double JsonNode::number(double fallback) const {
  if (!value_ || !expect(value_->is_number(), "a number")) return fallback;
  const double number = value_->get<double>();
  if (std::isfinite(number)) return number;
  fail("the number is too large.");
  return fallback;
}

bool JsonNode::boolean(bool fallback) const {
  if (!value_ || !expect(value_->is_boolean(), "true or false")) return fallback;
  return value_->get<bool>();
}

LocalText JsonNode::local_text() const {
  LocalText result;
  if (!value_) return result;
  if (value_->is_string()) {
    result.by_locale["en"] = value_->get<std::string>();
    return result;
  }
  if (!expect(value_->is_object(), "a text, or an object of texts by locale")) return result;
  for (const auto& [locale, node] : members()) {
    const bool named_well = locale.size() >= 2 && std::all_of(locale.begin(), locale.end(), [](char c) {
                              return std::isalnum(static_cast<unsigned char>(c)) || c == '-';
                            });
    if (!named_well)
      node.fail(fmt::format("\"{}\" is no locale; expected one such as \"en\" or \"pt-BR\".", locale));
    result.by_locale[locale] = node.text();
  }
  if (!result.by_locale.count("en"))
    fail("expected an \"en\" text among the locales: English is the fallback.");
  return result;
}

std::vector<JsonNode> JsonNode::items() const {
  std::vector<JsonNode> result;
  if (!value_ || !expect(value_->is_array(), "a list")) return result;
  for (size_t i = 0; i < value_->size(); ++i)
    result.emplace_back(reader_, &(*value_)[i], fmt::format("{}/{}", pointer_, i));
  return result;
}

std::vector<std::string> JsonNode::texts() const {
  std::vector<std::string> result;
  for (const JsonNode& item : items()) result.push_back(item.text());
  return result;
}

std::vector<std::pair<std::string, JsonNode>> JsonNode::members() const {
  std::vector<std::pair<std::string, JsonNode>> result;
  if (!value_ || !expect(value_->is_object(), "an object")) return result;
  for (const auto& [key, value] : value_->items()) {
    result.emplace_back(key, JsonNode(reader_, &value, pointer_ + "/" + pointer_step(key)));
  }
  return result;
}

std::string JsonNode::dump() const { return value_ ? value_->dump() : std::string(); }

JsonObject::JsonObject(JsonNode node) : node_(std::move(node)), members_(node_.members()) {}

JsonNode JsonObject::get(std::string_view key) {
  known_.emplace_back(key);
  for (const auto& [name, value] : members_) {
    if (name == key) return value;
  }
  return {};
}

JsonNode JsonObject::need(std::string_view key, std::string_view what) {
  JsonNode node = get(key);
  if (!node.present() && node_.is_object())
    node_.fail(fmt::format("\"{}\" is missing; expected {}.", key, what));
  return node;
}

void JsonObject::finish() {
  for (const auto& [name, value] : members_) {
    if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
    const std::optional<std::string> near = nearest_word(name, known_);
    value.fail(near ? fmt::format("unknown key \"{}\"; did you mean \"{}\"?", name, *near)
                    : fmt::format("unknown key \"{}\"; expected one of {}.", name, join(known_, ", ")));
  }
}

}  // namespace warpbook
