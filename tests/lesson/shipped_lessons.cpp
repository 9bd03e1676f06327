// The lessons that are shipped: they load, keep the rules for lessons, and their links lead somewhere.
#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <set>

#include "base/files.h"
#include "base/text.h"
#include "catch.h"
#include "folder.h"
#include "lesson/lesson.h"
#include "lesson/live_blocks.h"

using namespace warpbook;

namespace {

const Path root = WARPBOOK_SOURCE_DIR;

const Library& library() {
  static const Library loaded = load_library({root});
  return loaded;
}

int words_in(const std::string& text) {
  int words = 0;
  bool inside = false;
  for (const char c : text) {
    const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    words += !blank && !inside;
    inside = !blank;
  }
  return words;
}

/// How GitHub and others name a heading.
std::string anchor_of(const Block& heading) {
  std::string anchor;
  for (const Run& run : heading.runs) {
    for (const char c : run.text) {
      if (c == ' ')
        anchor += '-';
      else if (std::isalnum(static_cast<unsigned char>(c)) || c == '-')
        anchor += char(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return anchor;
}

std::set<std::string> anchors_of(const Document& page) {
  std::set<std::string> anchors;
  for (const Block& block : page.blocks) {
    if (block.kind == Block::Kind::heading) anchors.insert(anchor_of(block));
  }
  return anchors;
}

void check_links(const Document& page, const Path& folder, const std::string& name) {
  for (const Block& block : page.blocks) {
    std::vector<Run> runs = block.runs;
    for (const auto& row : block.rows) {
      for (const auto& cell : row) runs.insert(runs.end(), cell.begin(), cell.end());
    }
    for (const Run& run : runs) {
      if (run.link.empty() || starts_with(run.link, "http")) continue;
      INFO(name << ":" << block.line << " " << run.link);
      const size_t hash = run.link.find('#');
      const std::string file = run.link.substr(0, hash);
      const Path target = file.empty() ? Path() : (folder / file).lexically_normal();
      if (!file.empty()) CHECK(std::filesystem::exists(target));
      if (hash == std::string::npos) continue;
      const auto text = file.empty() ? Result<std::string>(std::string()) : read_file(target);
      REQUIRE(text);
      const auto other = file.empty() ? Result<Document>(page) : parse_document(*text, file);
      REQUIRE(other);
      CHECK(anchors_of(*other).count(run.link.substr(hash + 1)) == 1);
    }
  }
}

}  // namespace

TEST_CASE("every shipped lesson loads") {
  for (const Error& error : library().broken) FAIL_CHECK(to_string(error));
  CHECK(library().lessons.size() >= 3);
}

TEST_CASE("lessons keep to their size, and have labs, questions, predictions and exercises") {
  for (const Lesson& lesson : library().lessons) {
    INFO(lesson.slug);
    const Document& page = lesson.pages.at("en");
    const int words = words_in(plain_text(page));
    INFO(words << " words");
    CHECK(words >= 900);
    CHECK(words <= 1800);
    CHECK(lesson.labs.size() >= 2);
    CHECK(lesson.quiz.questions.size() >= 6);
    CHECK(lesson.exercises.size() >= 2);
    CHECK_FALSE(lesson.sources.empty());
    std::set<std::string> shown;
    int predictions = 0;
    for (const Block& block : page.blocks) {
      if (block.kind == Block::Kind::predict) ++predictions;
      const bool live = block.kind == Block::Kind::lab || block.kind == Block::Kind::quiz ||
                        block.kind == Block::Kind::exercise;
      if (live) shown.insert(block.words.begin(), block.words.end());
    }
    CHECK(predictions >= 1);
    for (const Lab& lab : lesson.labs) CHECK(shown.count(lab.name) == 1);
    for (const Question& question : lesson.quiz.questions) CHECK(shown.count(question.name) == 1);
    for (const Exercise& exercise : lesson.exercises) CHECK(shown.count(exercise.name) == 1);
  }
}

TEST_CASE(
    "at least half of the questions are computed from the controls, and their wrong numbers are told apart") {
  for (const Lesson& lesson : library().lessons) {
    size_t computed = 0;
    for (const Question& question : lesson.quiz.questions) {
      INFO(lesson.slug << "/" << question.name);
      const auto names = question.answer.empty()
                             ? Result<std::vector<std::string>>(std::vector<std::string>{})
                             : names_in(question.answer);
      REQUIRE(names);
      const bool by_choice = std::any_of(question.choices.begin(), question.choices.end(),
                                         [](const Choice& choice) { return !choice.right_when.empty(); });
      computed += !names->empty() || by_choice;
      if (question.type == Question::Type::number || question.type == Question::Type::line) {
        CHECK(question.misses.size() >= 2);
        CHECK_FALSE(question.because.empty());
      }
      for (const Choice& choice : question.choices) CHECK_FALSE(choice.because.empty());
    }
    INFO(lesson.slug << ": " << computed << " of " << lesson.quiz.questions.size());
    CHECK(computed * 2 >= lesson.quiz.questions.size());
  }
}

TEST_CASE("right answers are judged right, at the controls' defaults") {
  for (const Lesson& lesson : library().lessons) {
    for (const Question& question : lesson.quiz.questions) {
      INFO(lesson.slug << "/" << question.name);
      const Lab* lab = question.lab.empty() ? &lesson.labs[0] : lesson.lab(question.lab);
      REQUIRE(lab);
      const Values values = *default_values(*lab);
      Answer answer;
      if (!question.answer.empty()) answer.number = double(*evaluate(question.answer, values));
      for (size_t i = 0; i < question.choices.size(); ++i) {
        if (question.type == Question::Type::order || *is_right(question.choices[i], values))
          answer.chosen.push_back(int(i));
      }
      const auto judgement = judge(question, answer, values, "en");
      REQUIRE(judgement);
      CHECK(judgement->right);
      CHECK_FALSE(judgement->because.empty());
      for (size_t i = 0; i < question.choices.size() && question.type == Question::Type::single; ++i) {
        if (*is_right(question.choices[i], values)) continue;
        const auto wrong = judge(question, {{int(i)}, {}}, values, "en");
        REQUIRE(wrong);
        CHECK_FALSE(wrong->right);
        CHECK_FALSE(wrong->because.empty());
      }
    }
  }
}

TEST_CASE("no lane of a warp goes round more often than the limit lets it") {
  const Question* question = library().lesson("07-mandelbrot")->quiz.question("rounds-of-a-warp");
  REQUIRE(question);
  for (const int64_t limit : {8, 20, 40, 200}) {
    INFO("limit " << limit);
    Values values;
    values["limit"] = limit;
    const auto judged = judge(*question, {{}, double(limit)}, values, "en");
    REQUIRE(judged);
    CHECK(judged->right);
  }
}

TEST_CASE("questions about an index ask for a place that is there in the smallest lab") {
  const auto right = [](const char* lesson, const char* name, const Values& values, double answer) {
    const Question* question = library().lesson(lesson)->quiz.question(name);
    REQUIRE(question);
    INFO(name);
    const auto judged = judge(*question, {{}, answer}, values, "en");
    REQUIRE(judged);
    CHECK(judged->right);
  };
  const auto with = [](std::initializer_list<std::pair<const char*, int64_t>> all) {
    Values values;
    for (const auto& [name, value] : all) values[name] = value;
    return values;
  };
  right("02-hello-grid", "own-index", with({{"block.x", 1}, {"n", 1}}), 3);      // thread 0 of block 3
  right("02-hello-grid", "own-index", with({{"block.x", 128}, {"n", 1}}), 389);  // thread 5
  right("02-hello-grid", "plane-index", with({{"w", 1}, {"h", 1}}), 0);
  right("02-hello-grid", "plane-index", with({{"w", 60}, {"h", 20}}), 123);
  right("04-guards-and-shapes", "pitched-index", with({{"w", 1}, {"h", 1}, {"pad", 3}}), 0);
  right("04-guards-and-shapes", "pitched-index", with({{"w", 50}, {"h", 20}, {"pad", 14}}), 197);
}

TEST_CASE("exercises have sizes that catch mistakes, three hints and three seeded wrong answers") {
  for (const Lesson& lesson : library().lessons) {
    for (const Exercise& exercise : lesson.exercises) {
      INFO(lesson.slug << "/" << exercise.name);
      CHECK(exercise.hints.size() == 3);
      std::vector<std::string> kinds, wanted_kinds = {"results", "no-diagnoses", "schedules"};
      for (const Check& check : exercise.checks) kinds.push_back(check.check);
      if (exercise.program) {
        CHECK(exercise.runs.size() >= 4);
        wanted_kinds = {"output", "no-diagnoses"};
      } else {
        CHECK_FALSE(exercise.signature.empty());
        REQUIRE_FALSE(exercise.sizes.empty());
        CHECK(exercise.sizes[0].second.size() >= 4);
      }
      for (const std::string& wanted : wanted_kinds) {
        CHECK(std::find(kinds.begin(), kinds.end(), wanted) != kinds.end());
      }
      int wrong = 0;
      const Path folder = lesson.kernels / exercise.name / "wrong";
      for (const std::string& file : list_folder(folder)) {
        const auto source = read_file(folder / file);
        REQUIRE(source);
        INFO(file);
        CHECK(starts_with(*source, "// fails: "));
        ++wrong;
      }
      CHECK(wrong >= 3);
      if (exercise.program) continue;
      bool uninitialised = false;
      for (const std::string& arg : exercise.args) uninitialised = uninitialised || has(arg, ":uninit");
      CHECK(uninitialised);
    }
  }
}

TEST_CASE("links in lessons and reference pages lead somewhere") {
  for (const Lesson& lesson : library().lessons)
    check_links(lesson.pages.at("en"), lesson.folder, lesson.slug);
  const Path pages = root / "assets/pages";
  int count = 0;
  for (const std::string& name : list_folder(pages)) {
    if (name.size() < 3 || name.substr(name.size() - 3) != ".md") continue;
    const auto text = read_file(pages / name);
    REQUIRE(text);
    const auto page = parse_document(*text, name);
    REQUIRE(page);
    check_links(*page, pages, name);
    ++count;
  }
  CHECK(count >= 3);
}

TEST_CASE("terms are linked to the glossary") {
  for (const Lesson& lesson : library().lessons) {
    int links = 0;
    for (const Block& block : lesson.pages.at("en").blocks) {
      for (const Run& run : block.runs) links += has(run.link, "glossary.md#");
    }
    INFO(lesson.slug);
    CHECK(links >= 4);
  }
}

TEST_CASE("the schemas know every key that the shipped files use, and are JSON themselves") {
  for (const char* name : {"lessons/lesson.schema.json", "quizzes/quiz.schema.json"}) {
    const auto text = read_file(root / name);
    REQUIRE(text);
    const auto schema = nlohmann::json::parse(*text, nullptr, false);
    REQUIRE(schema.is_object());
    CHECK(schema["$schema"] == "https://json-schema.org/draft/2020-12/schema");
    CHECK(schema["additionalProperties"] == false);
  }
  const auto text = read_file(root / "lessons/lesson.schema.json");
  const auto schema = nlohmann::json::parse(*text);
  const auto keys_of = [&](const char* definition) { return schema["$defs"][definition]["properties"]; };
  for (const std::string& slug : list_folder(root / "lessons")) {
    const auto file = read_file(root / "lessons" / slug / "lesson.json");
    if (!file) continue;
    const auto json = nlohmann::json::parse(*file, nullptr, true, true);
    CHECK(json["$schema"] == "../lesson.schema.json");
    for (const auto& [key, value] : json.items()) CHECK(schema["properties"].contains(key));
    for (const auto& lab : json["labs"]) {
      for (const auto& [key, value] : lab.items()) CHECK(keys_of("lab").contains(key));
      for (const auto& control : lab.value("controls", nlohmann::json::object())) {
        for (const auto& [key, value] : control.items()) CHECK(keys_of("control").contains(key));
      }
    }
    for (const auto& exercise : json["exercises"]) {
      for (const auto& [key, value] : exercise.items()) CHECK(keys_of("exercise").contains(key));
    }
  }
}
