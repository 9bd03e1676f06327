// What progress and settings have in common.
#include "lesson/kept_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/text.h"

namespace warpbook {

using nlohmann::ordered_json;

namespace {

constexpr uint64_t max_file_bytes = 16u << 20;

/// Does a pattern such as "/lessons/*/opened" match this pointer, and is it, or could a child of it be,
/// known?
enum class Match { no, inside, whole };

Match match(const std::string& pointer, const std::string& pattern) {
  const auto have = split(pointer, '/'), want = split(pattern, '/');
  for (size_t i = 0; i < have.size(); ++i) {
    if (i >= want.size()) return Match::no;
    if (want[i] != "*" && want[i] != have[i]) return Match::no;
  }
  return have.size() == want.size() ? Match::whole : Match::inside;
}

/// Takes out what is known; true when nothing is left.
bool strip(ordered_json& value, const std::string& pointer, const std::vector<std::string>& known) {
  bool inside = pointer.empty();
  for (const std::string& pattern : known) {
    const Match found = match(pointer, pattern);
    if (found == Match::whole) return true;
    inside = inside || found == Match::inside;
  }
  if (!inside || !value.is_object()) return false;
  std::vector<std::string> gone;
  for (auto& [key, child] : value.items()) {
    std::string step = replace_all(replace_all(key, "~", "~0"), "/", "~1");
    if (strip(child, pointer + "/" + step, known)) gone.push_back(key);
  }
  for (const std::string& key : gone) value.erase(key);
  return value.empty();
}

void lay_over(ordered_json& below, const ordered_json& above) {
  if (!below.is_object() || !above.is_object()) {
    below = above;
    return;
  }
  for (const auto& [key, value] : above.items()) {
    if (below.contains(key))
      lay_over(below[key], value);
    else
      below[key] = value;
  }
}

ordered_json parsed_or_object(const std::string& text) {
  ordered_json json = ordered_json::parse(text, nullptr, false, true);
  return json.is_object() ? json : ordered_json::object();
}

}  // namespace

Result<std::unique_ptr<JsonReader>> open_versioned(const Path& file, int version, std::string_view what) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return std::unique_ptr<JsonReader>();
  auto text = read_file(file, max_file_bytes);
  if (!text) return text.error();
  auto reader = JsonReader::parse(std::move(*text), file.string());
  if (!reader) return reader.error();
  JsonObject root((*reader)->root());
  const int64_t found = root.need("version", "a whole number").integer(version, 1);
  if ((*reader)->failed()) return (*reader)->error();
  if (found > version) {
    return Error{
        fmt::format("The {} file has version {}; this Warpbook knows version {}.", what, found, version),
        Trouble::unsupported, (*reader)->locate("/version"),
        "Open it with the newer Warpbook; nothing was changed."};
  }
  return reader;
}

std::string unknown_parts(const std::string& json, const std::vector<std::string>& known) {
  ordered_json rest = parsed_or_object(json);
  return strip(rest, "", known) ? std::string() : rest.dump();
}

Result<Done> write_versioned(const Path& file, int version, std::string_view what, const std::string& known,
                             const std::string& unknown) {
  // A broken file is the caller's to set aside before; only a newer one must never be replaced.
  const auto old = open_versioned(file, version, what);
  if (!old && old.error().trouble == Trouble::unsupported) return old.error();
  ordered_json whole = parsed_or_object(known);
  ordered_json rest = parsed_or_object(unknown);
  ordered_json result = whole;
  lay_over(rest, whole);
  for (const auto& [key, value] : rest.items()) result[key] = value;  // known keys first, in their own order
  return write_file(file, result.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
}

}  // namespace warpbook
