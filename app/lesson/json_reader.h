#pragma once
// Reading JSON files that people write: every value is asked for by type, the first thing that is wrong is
// kept with its file, line and JSON pointer, and keys that nobody asked for are mistakes.
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "lesson/localized.h"

namespace warpbook {

class JsonReader;

/// One value, or the absence of one. Reading an absent value gives the fallback and is no error.
class JsonNode {
 public:
  JsonNode() = default;
  JsonNode(JsonReader* reader, const nlohmann::ordered_json* value, std::string pointer)
      : reader_(reader), value_(value), pointer_(std::move(pointer)) {}

  bool present() const { return value_ != nullptr; }
  bool is_text() const;
  bool is_number() const;
  bool is_array() const;
  bool is_object() const;

  std::string text(std::string fallback = {}) const;
  int64_t integer(int64_t fallback, int64_t min = INT64_MIN, int64_t max = INT64_MAX) const;
  double number(double fallback) const;
  bool boolean(bool fallback) const;
  /// A string, or an object of strings by locale with "en" among them.
  LocalText local_text() const;
  std::vector<JsonNode> items() const;
  std::vector<std::string> texts() const;
  std::vector<std::pair<std::string, JsonNode>> members() const;
  std::string dump() const;

  void fail(const std::string& message) const;
  const std::string& pointer() const { return pointer_; }

 private:
  bool expect(bool holds, std::string_view what) const;

  JsonReader* reader_ = nullptr;
  const nlohmann::ordered_json* value_ = nullptr;
  std::string pointer_;
};

/// An object whose keys are all known: `finish` complains about the others.
class JsonObject {
 public:
  explicit JsonObject(JsonNode node);
  JsonNode need(std::string_view key, std::string_view what);
  JsonNode get(std::string_view key);
  void finish();
  const JsonNode& node() const { return node_; }

 private:
  JsonNode node_;
  std::vector<std::pair<std::string, JsonNode>> members_;
  std::vector<std::string> known_;
};

class JsonReader {
 public:
  /// Errors: invalid UTF-8, NUL, syntax, nesting over max_json_depth, a key that stands twice.
  static Result<std::unique_ptr<JsonReader>> parse(std::string text, std::string file);
  ~JsonReader();
  JsonReader(const JsonReader&) = delete;
  JsonReader& operator=(const JsonReader&) = delete;

  JsonNode root();
  bool failed() const { return failed_; }
  const Error& error() const { return error_; }
  void fail(const std::string& pointer, const std::string& message);
  /// A pointer's line and column; of the nearest parent that has one.
  Location locate(std::string pointer) const;

 private:
  JsonReader();
  struct State;
  std::unique_ptr<State> state_;
  bool failed_ = false;
  Error error_;
};

}  // namespace warpbook
