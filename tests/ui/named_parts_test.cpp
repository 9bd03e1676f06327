// What a lesson's page calls by name is there under that name: controls, variants, tabs, counters. A learner
// who is told to turn "Stride" must find it.
#include <cctype>
#include <set>

#include "base/text.h"
#include "catch.h"
#include "lesson/lesson.h"
#include "lesson/live_blocks.h"
#include "result/counters.h"
#include "view/view.h"

using namespace warpbook;

namespace {

const Path root = WARPBOOK_SOURCE_DIR;

std::string lowered(std::string text) {
  for (char& c : text) c = char(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// What stands on buttons and tabs of every lab, and in the picture of modelled time.
std::set<std::string> names_of_the_app() {
  return {"run", "reset", "edit", "show me", "compare", "open this launch", "shared memory and l1"};
}

std::set<std::string> names_in(const Lesson& lesson) {
  std::set<std::string> names = names_of_the_app();
  for (const Lab& lab : lesson.labs) {
    names.insert(lowered(lab.title.in("en")));
    for (const auto& [label, file] : lab.variants) names.insert(lowered(label));
    for (const Control& control : lab.controls) {
      names.insert(lowered(control.label.in("en")));
      for (const LocalText& label : control.choice_labels) names.insert(lowered(label.in("en")));
    }
    for (const ViewSpec& spec : lab.views) {
      const view::Visualiser* visualiser = view::visualiser(spec.type);
      REQUIRE(visualiser);
      names.insert(lowered(spec.title.empty() ? std::string(visualiser->title) : spec.title.in("en")));
    }
  }
  // A counter is called by its name up to the comma: "Sectors a request" stands for loads and stores.
  for (const NamedCounter& counter : named_counters()) {
    const std::string label = lowered(std::string(counter.label));
    names.insert(label);
    names.insert(label.substr(0, label.find(',')));
  }
  return names;
}

/// A word in front of it says that it is a name, also when it begins small.
bool is_pointed_at(const std::string& before) {
  for (const char* word : {"ariant ", "elect ", "hoose ", "tab "}) {
    const std::string end = word;
    if (before.size() >= end.size() && before.compare(before.size() - end.size(), end.size(), end) == 0)
      return true;
  }
  return false;
}

/// Titles of works stand in the list of what to read, or with their authors among the sources.
std::string works_of(const Lesson& lesson) {
  std::string works = join(lesson.sources, "\n");
  bool reading = false;
  for (const Block& block : lesson.pages.at("en").blocks) {
    if (block.kind == Block::Kind::heading)
      reading = !block.runs.empty() && block.runs[0].text == "What to read next";
    if (!reading) continue;
    for (const Run& run : block.runs) works += run.text;
  }
  return works;
}

}  // namespace

TEST_CASE("every control, variant, tab and counter that a page names exists under that name") {
  const Library library = load_library({root});
  REQUIRE_FALSE(library.lessons.empty());
  int named = 0;
  for (const Lesson& lesson : library.lessons) {
    const std::set<std::string> names = names_in(lesson);
    const std::string works = works_of(lesson);
    for (const Block& block : lesson.pages.at("en").blocks) {
      std::string before;
      for (const Run& run : block.runs) {
        const std::string text(trim(run.text));
        const bool name = run.italic && !text.empty() &&
                          (std::isupper(static_cast<unsigned char>(text[0])) || is_pointed_at(before));
        const bool sentence = !text.empty() && text.back() == '.';
        before = run.text;
        if (!name || sentence || works.find(text) != std::string::npos) continue;
        ++named;
        INFO(lesson.slug << ":" << block.line << " *" << text << "*");
        CHECK(names.count(lowered(text)) == 1);
      }
    }
  }
  CHECK(named > 40);
}

TEST_CASE("every counter that a lab shows, a check gates or a question is verified by exists") {
  std::set<std::string> known = {"idle_threads"};  // made by the view from the launch and n
  for (const NamedCounter& counter : named_counters()) known.insert(std::string(counter.name));
  const Library library = load_library({root});
  int counters = 0;
  const auto check = [&](const std::string& place, const std::string& name) {
    ++counters;
    INFO(place << " " << name);
    CHECK(known.count(name) == 1);
  };
  for (const Lesson& lesson : library.lessons) {
    for (const Lab& lab : lesson.labs) {
      for (const ViewSpec& spec : lab.views) {
        if (spec.type != "numbers") continue;
        view::ViewInput input;
        input.options = spec.options;
        for (const std::string& name : view::option_list(input, "show"))
          check(lesson.slug + "/" + lab.name, name);
      }
    }
    for (const Exercise& exercise : lesson.exercises) {
      for (const Check& one : exercise.checks)
        if (one.check == "counter") check(lesson.slug + "/" + exercise.name, one.name);
    }
    for (const Question& question : lesson.quiz.questions)
      if (question.verify) check(lesson.slug + "/" + question.name, question.verify->counter);
  }
  CHECK(counters > 100);
}
