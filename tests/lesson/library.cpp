// Lessons found by folder; each kind of mistake is told with its file, line and pointer, and costs only its
// lesson.
#include <algorithm>

#include "base/text.h"
#include "catch.h"
#include "folder.h"
#include "lesson/lesson.h"

using namespace warpbook;

namespace {

const char* const good_json = R"json({
  "$schema": "../lesson.schema.json",
  "title": "T",
  "summary": {"en": "S", "pt-BR": "R"},
  "needs": [],
  "labs": {
    "cover": {
      "kernel": "k.cu",
      "args": ["out=buf:i32[{n}]:uninit", "n=i32:{n}"],
      "launch": {"block": ["TILE", "TILE"], "shared": "TILE * 4"},
      "controls": {
        "n": {"label": "N", "min": 1, "max": 10, "value": 5},
        "grid.x": {"label": "G", "min": 0, "max": 10, "value": 2},
        "TILE": {"label": "T", "choices": [4, {"value": 8, "label": "eight"}], "value": 8, "define": true}
      },
      "views": [{"type": "thread-map", "buffer": "out", "columns": "{n}"}]
    }
  },
  "exercises": {
    "fill": {
      "kernel": "k",
      "task": "Do.",
      "launch": {"grid": ["ceil_div(n, block)"], "block": [32, [8, 4]]},
      "args": ["out=buf:i32[{n}]:uninit"],
      "sizes": {"n": [1, 2], "m": [3, 4]},
      "checks": [{"check": "results", "buffers": ["out"]}, {"check": "counter", "name": "threads", "at_most": "n * 64"}],
      "expect": [{"sizes": {"n": 1}, "buffer": "out", "values": [0]}]
    }
  }
}
)json";
const char* const good_quiz =
    R"({"questions": {"q": {"type": "number", "text": "{n}", "answer": "n * TILE", "verify": {"lab": "cover", "set": {"n": "2"}, "counter": "threads"}}}})";
const char* const good_page =
    "# T\n\n```lab cover\n```\n\n```quiz q\n```\n\n```exercise fill\n```\n\n```predict cover\nquestion: "
    "{n}?\nanswer: n\n```\n\n"
    "```code k.cu 1-2\n```\n";

struct Root : TestFolder {
  explicit Root(const std::string& json = good_json, const std::string& quiz = good_quiz,
                const std::string& page = good_page) {
    add("01-one", json, quiz, page);
  }
  void add(const std::string& slug, const std::string& json, const std::string& quiz,
           const std::string& page) const {
    put("lessons/" + slug + "/lesson.json", json);
    put("lessons/" + slug + "/lesson.md", page);
    put("quizzes/" + slug + ".json", quiz);
    put("kernels/" + slug + "/k.cu", "// one\n// two\n// three\n");
    put("kernels/" + slug + "/fill/exercise.cu", "");
    put("kernels/" + slug + "/fill/solution.cu", "");
  }
};

Error refused(const std::string& json, const std::string& quiz = good_quiz,
              const std::string& page = good_page) {
  const Root root(json, quiz, page);
  const auto lesson = load_lesson(root.path, "01-one");
  REQUIRE_FALSE(lesson);
  CHECK_FALSE(lesson.error().where.file.empty());
  return lesson.error();
}

/// The good file with one thing changed.
std::string with(const std::string& from, const std::string& to, std::string text = good_json) {
  const size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("a good lesson loads with everything it says") {
  const Root root;
  const auto lesson = load_lesson(root.path, "01-one");
  INFO((lesson ? std::string() : to_string(lesson.error())));
  REQUIRE(lesson);
  CHECK(lesson->summary.in("pt-BR") == "R");
  const Lab* lab = lesson->lab("cover");
  REQUIRE(lab);
  CHECK(lesson->lab("hover") == nullptr);
  CHECK(lab->controls[0].name == "n");
  CHECK(lab->controls[1].name == "grid.x");
  CHECK(lab->controls[2].choices == std::vector<int64_t>{4, 8});
  CHECK(lab->controls[2].choice_labels[1].in("en") == "eight");
  CHECK(lab->controls[2].define);
  CHECK(lab->views[0].options[0] == std::pair<std::string, std::string>{"buffer", "\"out\""});
  const Values values = *default_values(*lab);
  CHECK(values == Values{{"n", 5},
                         {"TILE", 8},
                         {"grid.x", 2},
                         {"grid.y", 1},
                         {"grid.z", 1},
                         {"block.x", 8},
                         {"block.y", 8},
                         {"block.z", 1}});
  CHECK(complete_values(*lab, {{"TILE", 4}})->at("block.y") == 4);
  const Exercise* exercise = lesson->exercise("fill");
  REQUIRE(exercise);
  CHECK(exercise->blocks == std::vector<std::vector<int64_t>>{{32}, {8, 4}});
  CHECK(exercise->checks[1].at_most_expression == "n * 64");
  CHECK(lesson->quiz.questions[0].verify->set[0].second == "2");
  CHECK(lesson->pages.at("en").blocks.size() == 6);
}

TEST_CASE("mistakes in lesson.json are told with line and pointer") {
  struct Case {
    std::string json, message;
    int line;
  };
  const std::vector<Case> cases{
      {with("\"title\": \"T\"", "\"titel\": \"T\""), "\"title\" is missing", 1},
      {with("\"needs\": []", "\"need\": []"), "/need: unknown key \"need\"; did you mean \"needs\"?", 5},
      {with("\"needs\": []", "\"needs\": [\"01-one\"]"), "/needs/0: a lesson cannot need itself", 5},
      {with("\"min\": 1,", "\"min\": \"1\","),
       "/labs/cover/controls/n/min: expected a whole number, found a text", 12},
      {with("\"value\": 5", "\"value\": 50"),
       "/labs/cover/controls/n/value: expected a whole number from 1 to 10", 12},
      {with("\"value\": 5", "\"value\": 5e0"), "found a number with a fraction", 12},
      {with("\"max\": 10, \"value\": 5", "\"max\": 99999999999999999999, \"value\": 5"),
       "/labs/cover/controls/n/max", 12},
      {with("\"value\": 8, \"define\"", "\"value\": 7, \"define\""), "expected one of the choices", 14},
      {with("\"grid.x\"", "\"grid.w\""), "is no control", 13},
      {with("\"grid.x\"", "\"block.x\""), "block.x is set by a control already", 10},
      {with("\"k.cu\"", "\"j.cu\""), "/labs/cover/kernel: there is no file kernels/01-one/j.cu", 8},
      {with("\"k.cu\"", "\"../k.cu\""), "is no file name", 8},
      {with("\"n=i32:{n}\"", "\"n=i32:{m}\""), "/labs/cover/args/1: In the expression \"m\"", 9},
      {with("\"n=i32:{n}\"", "\"n=i32:{n\""), "never closed", 9},
      {with("\"n=i32:{n}\"", "\"i32:5\""), "is no argument", 9},
      {with("TILE * 4", "TILE / 0"), "/labs/cover/launch/shared", 10},
      {with("[\"TILE\", \"TILE\"]", "[\"TYLE\", \"TILE\"]"), "did you mean \"TILE\"", 10},
      {with("\"buffer\": \"out\", \"col", "\"buffer\": \"ou\", \"col"),
       "/labs/cover/views/0/buffer: there is no argument \"ou\"", 16},
      {with("{\"type\": \"thread-map\", ", "{"), "\"type\" is missing", 16},
      {with("[3, 4]", "[3, 4, 5]"), "/exercises/fill/sizes/m: expected 2 sizes", 25},
      {with("\"buffers\": [\"out\"]", "\"buffers\": [\"in\"]"),
       "/exercises/fill/checks/0/buffers/0: there is no argument", 26},
      {with("\"n * 64\"", "\"k * 64\""), "/exercises/fill/checks/1/at_most", 26},
      {with("\"check\": \"counter\"", "\"check\": \"count\""), "/exercises/fill/checks/1/check", 26},
      {with("ceil_div(n, block)", "ceil_div(n, blok)"), "/exercises/fill/launch/grid/0", 23},
      {with("[8, 4]]", "[8, 4, 1, 1]]"), "one to three dimensions", 23},
      {with("[8, 4]]", "[8, 0]]"), "/exercises/fill/launch/block/1/1", 23},
      {with("\"fill\"", "\"Fill it\""), "is no name", 20},
      {with("\"fill\"", "\"full\""), "kernels/01-one/full/exercise.cu", 20},
      {"[]", "expected an object", 1},
      {"{\n\"title\": ", "not JSON", 2},
  };
  for (const Case& one : cases) {
    const Error error = refused(one.json);
    INFO(one.message << "\n" << to_string(error));
    CHECK(has(error.message, one.message));
    CHECK(error.where.line == one.line);
    CHECK(has(error.where.file, "lesson.json"));
  }
}

TEST_CASE("mistakes in a quiz are told in the quiz's file") {
  Error error = refused(good_json, with("\"n * TILE\"", "\"m * TILE\"", good_quiz));
  CHECK(has(error.message, "/questions/q/answer"));
  CHECK(has(error.where.file, "quizzes/01-one.json"));
  CHECK(has(refused(good_json, with("\"lab\": \"cover\"", "\"lab\": \"hover\"", good_quiz)).message,
            "did you mean \"cover\""));
  CHECK(has(refused(good_json, with("\"set\": {\"n\"", "\"set\": {\"m\"", good_quiz)).message,
            "/questions/q/verify/set/m"));
  CHECK(has(refused(good_json, "").message, "empty"));
  CHECK(has(refused(good_json,
                    R"({"questions": {"q": {"type": "line", "text": "?", "code": "k.cu", "answer": 4}}})")
                .message,
            "3 lines"));
}

TEST_CASE("live blocks must refer to something that is there") {
  struct Case {
    std::string from, to, message;
    int line;
  };
  const std::vector<Case> cases{
      {"lab cover", "lab hover", "There is no lab \"hover\"; did you mean \"cover\"?", 3},
      {"quiz q", "quiz q r", "There is no question \"r\"", 6},
      {"exercise fill", "exercise fil", "There is no exercise \"fil\"", 9},
      {"predict cover", "predict none", "There is no lab \"none\"", 12},
      {"answer: n", "answer: m", "there is no \"m\"", 12},
      {"question: {n}", "question: {m}", "there is no \"m\"", 12},
      {"k.cu 1-2", "j.cu", "There is no file kernels/01-one/j.cu", 17},
      {"k.cu 1-2", "k.cu 2-9", "has 3 lines", 17},
      {"k.cu 1-2", "../../quizzes/01-one.json", "There is no file", 17},
  };
  for (const Case& one : cases) {
    const Error error = refused(good_json, good_quiz, with(one.from, one.to, good_page));
    INFO(to_string(error));
    CHECK(has(error.message, one.message));
    CHECK(error.where.line == one.line);
    CHECK(has(error.where.file, "lesson.md"));
  }
}

TEST_CASE("a broken lesson costs only itself") {
  const Root root;
  root.add("02-two", "{\"title\": 3}", good_quiz, good_page);
  root.add("03-three", with("\"needs\": []", "\"needs\": [\"02-two\"]"), good_quiz, good_page);
  root.add("04-four", with("\"needs\": []", "\"needs\": [\"03-thre\"]"), good_quiz, good_page);
  root.put("lessons/05-no-json/lesson.md", "# x\n");
  root.put("lessons/Bad Name/lesson.md", "# x\n");
  root.put("lessons/lesson.schema.json", "{}");
  std::filesystem::remove(root.path / "quizzes/03-three.json");
  root.put("lessons/03-three/lesson.md", "# No quiz\n");
  const Library library = load_library({root.path});
  REQUIRE(library.lessons.size() == 2);
  CHECK(library.lessons[0].slug == "01-one");
  CHECK(library.lesson("03-three") != nullptr);
  CHECK(library.lesson("02-two") == nullptr);
  CHECK(library.broken.size() == 4);
  const auto need = std::find_if(library.broken.begin(), library.broken.end(),
                                 [](const Error& error) { return has(error.message, "/needs/0"); });
  REQUIRE(need != library.broken.end());
  CHECK(has(need->message, "did you mean \"03-three\"?"));
  CHECK(need->where.line == 5);
}

TEST_CASE("further roots add lessons, and a name stands once") {
  const Root first, second;
  second.add("00-mine", good_json, good_quiz, good_page);
  const Library library = load_library({first.path, second.path, first.path / "nowhere"});
  REQUIRE(library.lessons.size() == 2);
  CHECK(library.lessons[0].slug == "00-mine");
  REQUIRE(library.broken.size() == 1);
  CHECK(has(library.broken[0].message, "already"));
}

TEST_CASE("a translation stands beside the page") {
  const Root root;
  root.put("lessons/01-one/lesson.pt-BR.md", "# Olá\n");
  auto lesson = load_lesson(root.path, "01-one");
  REQUIRE(lesson);
  CHECK(lesson->pages.at("pt-BR").blocks.size() == 1);
  root.put("lessons/01-one/lesson.pt-BR.md", "```lab hover\n```\n");
  lesson = load_lesson(root.path, "01-one");
  REQUIRE_FALSE(lesson);
  CHECK(has(lesson.error().where.file, "lesson.pt-BR.md"));
}

TEST_CASE("every prefix of a lesson's files is refused or read, never worse") {
  const std::string json = good_json;
  for (size_t length = 0; length + 2 < json.size(); length += 7) {
    const Root root(json.substr(0, length));
    const auto lesson = load_lesson(root.path, "01-one");
    CHECK_FALSE(lesson);
  }
  for (size_t at = 0; at < json.size(); at += 5) {
    std::string damaged = json;
    damaged[at] = char(0xff);
    const Root root(damaged);
    CHECK_FALSE(load_lesson(root.path, "01-one"));
  }
  const std::string page = good_page;
  for (size_t length = 0; length < page.size(); length += 3) {
    const Root root(good_json, good_quiz, page.substr(0, length));
    const auto lesson = load_lesson(root.path, "01-one");
    if (!lesson) CHECK_FALSE(lesson.error().message.empty());
  }
}
