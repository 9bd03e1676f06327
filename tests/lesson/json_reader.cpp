// Reading JSON with places: syntax, types, unknown keys.
#include "lesson/json_reader.h"

#include "catch.h"
#include "folder.h"
#include "lesson/json_positions.h"

using namespace warpbook;

namespace {

Error refused(std::string text) {
  const auto reader = JsonReader::parse(std::move(text), "f.json");
  REQUIRE_FALSE(reader);
  CHECK(reader.error().where.file == "f.json");
  return reader.error();
}

template <class F>
Error failure(std::string text, F read) {
  auto reader = JsonReader::parse(std::move(text), "f.json");
  REQUIRE(reader);
  read((*reader)->root());
  REQUIRE((*reader)->failed());
  return (*reader)->error();
}

}  // namespace

TEST_CASE("broken JSON is refused with line and column") {
  Error error = refused("{\n  \"a\": 1,\n  \"b\" 2\n}\n");
  CHECK(error.where.line == 3);
  CHECK(error.where.column == 7);
  CHECK(has(error.message, "expected"));
  CHECK(refused("{\"a\": [1, 2").where.line == 1);
  CHECK(refused("{\n\"a\": \"x\n\"}").where.line == 2);
  CHECK(has(refused("").message, "empty"));
  CHECK(has(refused(" \n\t").message, "empty"));
  CHECK(has(refused(std::string("{\n\0}", 4)).message, "NUL"));
  CHECK(refused(std::string("{\n\0}", 4)).where.line == 2);
  CHECK(has(refused("{\n\n\"a\": \"\xc3\x28\"}").message, "UTF-8"));
  CHECK(refused("{\n\n\"a\": \"\xc3\x28\"}").where.line == 3);
  CHECK(has(refused("{\"a\": 1e999}").message, "JSON"));
  CHECK(has(refused("{} {}").message, "JSON"));
  CHECK(has(refused("{\"a\": 1, \"b\": 2, \"a\": 3}").message, "/a: this key stands twice"));
}

TEST_CASE("deep nesting is refused before it is followed") {
  const std::string deep = std::string(100000, '[');
  CHECK(has(refused(deep).message, "deeper than 64"));
  CHECK(has(refused("{\"a\":" + std::string(200, '[') + std::string(200, ']') + "}").message, "deeper"));
  CHECK(JsonReader::parse("{\"a\": \"" + deep + "\"}", "f.json"));
}

TEST_CASE("wrong types are told with pointer and line") {
  const std::string text =
      "{\n  \"a\": {\n    \"b\": [1,\n      true]\n  },\n  // a comment\n  \"n\": 18446744073709551615,\n "
      "\"f\": 1.5 }";
  Error error = failure(text, [](JsonNode root) {
    JsonObject object(root);
    for (const JsonNode& item : JsonObject(object.get("a")).get("b").items()) item.integer(0);
  });
  CHECK(has(error.message, "/a/b/1: expected a whole number, found true or false"));
  CHECK(error.where.line == 4);
  error = failure(text, [](JsonNode root) { JsonObject(root).get("n").integer(0); });
  CHECK(has(error.message, "/n: the number does not fit"));
  CHECK(error.where.line == 7);
  error = failure(text, [](JsonNode root) { JsonObject(root).get("f").integer(0); });
  CHECK(has(error.message, "whole number"));
  error = failure(text, [](JsonNode root) { JsonObject(root).get("a").text(); });
  CHECK(has(error.message, "/a: expected a text, found an object"));
  CHECK(error.where.line == 2);
  error = failure("[1]", [](JsonNode root) { JsonObject object(root); });
  CHECK(has(error.message, "/: expected an object, found a list"));
  error = failure("{\"a\": 5}", [](JsonNode root) { JsonObject(root).get("a").integer(0, 1, 4); });
  CHECK(has(error.message, "from 1 to 4, found 5"));
}

TEST_CASE("missing and unknown keys") {
  Error error = failure("{\"a\": {\"titl\": 1}}", [](JsonNode root) {
    JsonObject object(JsonObject(root).get("a"));
    object.get("title");
    object.finish();
  });
  CHECK(has(error.message, "/a/titl: unknown key \"titl\"; did you mean \"title\"?"));
  error = failure("{\"x/y\": 1}", [](JsonNode root) {
    JsonObject object(root);
    object.get("title");
    object.finish();
  });
  CHECK(has(error.message, "/x~1y: unknown key"));
  CHECK(has(error.message, "expected one of title"));
  error = failure("{\n\"a\": {}}",
                  [](JsonNode root) { JsonObject(JsonObject(root).get("a")).need("b", "a number"); });
  CHECK(has(error.message, "/a: \"b\" is missing; expected a number."));
  CHECK(error.where.line == 2);
}

TEST_CASE("texts by locale need English") {
  auto reader = JsonReader::parse("{\"a\": \"plain\", \"b\": {\"en\": \"e\", \"pt-BR\": \"p\"}}", "f.json");
  REQUIRE(reader);
  JsonObject object((*reader)->root());
  CHECK(object.get("a").local_text().in("pt-BR") == "plain");
  const LocalText both = object.get("b").local_text();
  CHECK(both.in("pt-BR") == "p");
  CHECK(both.in("fr") == "e");
  CHECK(LocalText{}.in("en").empty());
  CHECK_FALSE((*reader)->failed());
  CHECK(has(
      failure("{\"b\": {\"pt-BR\": \"p\"}}", [](JsonNode root) { JsonObject(root).get("b").local_text(); })
          .message,
      "\"en\""));
}

TEST_CASE("positions are those of keys and items, comments and escapes notwithstanding") {
  const std::string text =
      "\xEF\xBB\xBF{ /* \"a\": { */\n \"a\\\"b\": [ {\"c\": \"]}\" }, 2 ],\n \"d\": null // }\n}";
  const JsonPositions found = json_positions(text);
  CHECK(text.substr(found.offset.at("/a\"b"), 3) == "\"a\\");
  CHECK(text.substr(found.offset.at("/a\"b/0/c"), 3) == "\"c\"");
  CHECK(text[found.offset.at("/a\"b/1")] == '2');
  CHECK(location_of(text, found.offset.at("/d"), "f").line == 3);
  CHECK(location_of(text, found.offset.at("/d"), "f").column == 2);
}
