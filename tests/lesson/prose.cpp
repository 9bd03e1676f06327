// What learners read is spelled from one list of words, and links outside go where the list of links says.
// The list is the course's own vocabulary: a word that is new to it is either a new word or a mistake, and
// somebody has to say which.
#include <algorithm>
#include <functional>
#include <map>
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

using Read = std::function<void(const std::string& text, const std::string& place)>;

/// The text of the runs that are words: no code, no formulas.
void read_document(const Document& page, const std::string& place, const Read& read) {
  for (const Block& block : page.blocks) {
    const std::string here = place + ":" + std::to_string(block.line);
    std::string words;
    for (const Run& run : block.runs) words += run.code || run.math ? " " : run.text;
    read(words, here);
    for (const auto& row : block.rows) {
      for (const auto& cell : row) {
        words.clear();
        for (const Run& run : cell) words += run.code || run.math ? " " : run.text;
        read(words, here);
      }
    }
    if (block.kind != Block::Kind::predict) continue;
    const auto prediction = prediction_of(block);
    REQUIRE(prediction);
    read(prediction->question, here);
    read(prediction->because, here);
  }
}

void read_markdown(const LocalText& text, const std::string& place, const Read& read) {
  const std::string& markdown = text.in("en");
  if (markdown.empty()) return;
  const auto page = parse_document(markdown, place);
  REQUIRE(page);
  read_document(*page, place, read);
}

void read_quiz(const Quiz& quiz, const std::string& slug, const Read& read) {
  for (const Question& question : quiz.questions) {
    const std::string place = slug + "/" + question.name;
    for (const LocalText* text : {&question.text, &question.because, &question.unit})
      read_markdown(*text, place, read);
    for (const Choice& choice : question.choices) {
      read_markdown(choice.text, place, read);
      read_markdown(choice.because, place, read);
    }
    for (const Miss& miss : question.misses) read_markdown(miss.because, place, read);
  }
}

void read_lesson(const Lesson& lesson, const Read& read) {
  const std::string& slug = lesson.slug;
  read(lesson.title.in("en"), slug);
  read(lesson.summary.in("en"), slug);
  for (const std::string& source : lesson.sources) read(source, slug + " sources");
  read_document(lesson.pages.at("en"), slug, read);
  for (const Lab& lab : lesson.labs) {
    const std::string place = slug + "/" + lab.name;
    read(lab.title.in("en"), place);
    for (const Control& control : lab.controls) {
      read(control.label.in("en"), place);
      read(control.help.in("en"), place);
      for (const LocalText& label : control.choice_labels) read_markdown(label, place, read);
    }
    for (const auto& [label, file] : lab.variants) read_markdown({{{"en", label}}}, place, read);
    for (const ViewSpec& view : lab.views) read(view.title.in("en"), place);
  }
  for (const Exercise& exercise : lesson.exercises) {
    const std::string place = slug + "/" + exercise.name;
    read(exercise.title.in("en"), place);
    read_markdown(exercise.task, place, read);
    for (const LocalText& hint : exercise.hints) read_markdown(hint, place, read);
  }
  read_quiz(lesson.quiz, slug, read);
}

Document document_at(const Path& file) {
  const auto text = read_file(file);
  REQUIRE(text);
  auto page = parse_document(*text, file.filename().string());
  REQUIRE(page);
  return std::move(*page);
}

void read_everything(const Read& read) {
  const Library library = load_library({root});
  for (const Lesson& lesson : library.lessons) read_lesson(lesson, read);
  read_document(document_at(root / "assets/pages/glossary.md"), "glossary.md", read);
}

bool is_letter(char32_t c) {
  return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z') ||
         (c >= 0xC0 && c <= 0x24F && c != 0xD7 && c != 0xF7);
}

/// The words of a text. Identifiers, file names and whatever else has digits, dots or underscores inside are
/// none, and what stands in {braces} is computed.
std::vector<std::string> words_of_prose(const std::string& text) {
  std::vector<std::string> words;
  std::u32string piece;
  bool plain = true;
  int braces = 0;
  const auto finish = [&] {
    while (!piece.empty() && !is_letter(piece.back())) piece.pop_back();
    size_t first = 0;
    while (first < piece.size() && !is_letter(piece[first])) ++first;
    const std::u32string word = piece.substr(first);
    plain = std::all_of(word.begin(), word.end(), [](char32_t c) { return is_letter(c) || c == U'\''; });
    if (plain && word.size() > 1) words.push_back(encode_utf8(word));
    piece.clear();
  };
  for (char32_t c : decode_utf8(text)) {
    if (c == U'{') ++braces;
    if (c == U'}') braces = std::max(0, braces - 1);
    if (c == U'’') c = U'\'';
    const bool inside = is_letter(c) || c == U'\'' || c == U'_' || c == U'.' || c == U':' || c == U'/' ||
                        c == U'=' || c == U'<' || c == U'>' || c == U'[' || c == U']' ||
                        (c >= U'0' && c <= U'9');
    if (braces == 0 && inside) {
      piece += c;
    } else {
      finish();
    }
  }
  finish();
  return words;
}

std::string without_capital(const std::string& word) {
  std::u32string points = decode_utf8(word);
  if (!points.empty() && points[0] < 0x80) points[0] = char32_t(std::tolower(int(points[0])));
  return encode_utf8(points);
}

std::set<std::string> vocabulary() {
  const auto text = read_file(root / "tests/lesson/words.txt");
  REQUIRE(text);
  std::set<std::string> words;
  for (const std::string_view line : lines_of(*text)) {
    if (!trim(line).empty() && line[0] != '#') words.insert(std::string(trim(line)));
  }
  return words;
}

}  // namespace

TEST_CASE("words are told from code, numbers and what is computed") {
  CHECK(words_of_prose("Don't launch {grid.x + n} threads, i.e. `x` of 0x1f or my_name (GPU's) café.") ==
        std::vector<std::string>{"Don't", "launch", "threads", "of", "or", "GPU's", "café"});
  CHECK(words_of_prose("half-full warps: 32, b[3]") == std::vector<std::string>{"half", "full", "warps"});
}

TEST_CASE("lessons, quizzes and the glossary use words that are in the list") {
  const std::set<std::string> known = vocabulary();
  std::map<std::string, std::string> unknown;  // word, where it stands first
  std::set<std::string> used;
  read_everything([&](const std::string& text, const std::string& place) {
    for (const std::string& word : words_of_prose(text)) {
      std::string stem = word;
      if (stem.size() > 2 && stem.substr(stem.size() - 2) == "'s") stem.resize(stem.size() - 2);
      const auto take = [&](const std::string& form) {
        return known.count(form) && (used.insert(form), true);
      };
      if (!take(stem) && !take(without_capital(stem))) unknown.emplace(stem, place);
    }
  });
  const std::vector<std::string> list(known.begin(), known.end());
  for (const auto& [word, place] : unknown) {
    const auto near = nearest_word(without_capital(word), list);
    FAIL_CHECK(place << ": \"" << word << "\" is not in tests/lesson/words.txt"
                     << (near ? "; did you mean \"" + *near + "\"?" : "; add it if it is right."));
  }
  // A list with words that nobody uses would let mistakes through.
  for (const std::string& word : known) {
    INFO(word);
    CHECK(used.count(word) == 1);
  }
}

TEST_CASE("links lead to files of the project, or to addresses that are known") {
  // Sources are named by title and author, which do not break; an address that is worth it is listed here.
  const std::set<std::string> known = {};
  std::vector<std::pair<std::string, Document>> pages;
  const Library library = load_library({root});
  for (const Lesson& lesson : library.lessons) pages.emplace_back(lesson.slug, lesson.pages.at("en"));
  for (const char* folder : {"assets/pages", "assets/graders", "."}) {
    for (const std::string& name : list_folder(root / folder))
      if (Path(name).extension() == ".md") pages.emplace_back(name, document_at(root / folder / name));
  }
  int links = 0;
  const auto check = [&](const std::string& place, const Run& run) {
    if (run.link.empty()) return;
    ++links;
    INFO(place << " " << run.link);
    CHECK(run.link.find_first_of(" \t<>\"") == std::string::npos);
    const size_t scheme = run.link.find("://");
    if (scheme == std::string::npos) return;  // of the project: tests/lesson/shipped_lessons.cpp follows it
    CHECK(run.link.substr(0, scheme) == "https");
    const std::string host = run.link.substr(scheme + 3, run.link.find('/', scheme + 3) - scheme - 3);
    CHECK(host.find('.') != std::string::npos);
    CHECK(known.count(run.link) == 1);
  };
  for (const auto& [place, page] : pages) {
    for (const Block& block : page.blocks) {
      for (const Run& run : block.runs) check(place, run);
      for (const auto& row : block.rows) {
        for (const auto& cell : row) {
          for (const Run& run : cell) check(place, run);
        }
      }
    }
  }
  CHECK(links > 100);
}

TEST_CASE("code in questions, tasks and hints is set as code") {
  // Markdown would take __shared__ for bold words, and a learner would copy what is left of it.
  const Library library = load_library({root});
  const auto check = [](const LocalText& text, const std::string& place) {
    read_markdown(text, place, [](const std::string& words, const std::string& where) {
      INFO(where << ": " << words);
      for (const char* sign : {"__", "<<<", "&&", "+=", "==", "();", "threadIdx", "blockIdx"})
        CHECK(words.find(sign) == std::string::npos);
    });
    const auto page = parse_document(text.in("en"), place);
    REQUIRE(page);
    for (const Block& block : page->blocks) {
      for (const Run& run : block.runs) {
        INFO(place << ": " << run.text);
        CHECK_FALSE((run.bold && run.text == "shared"));
      }
    }
  };
  for (const Lesson& lesson : library.lessons) {
    for (const Exercise& exercise : lesson.exercises) {
      check(exercise.task, lesson.slug + "/" + exercise.name);
      for (const LocalText& hint : exercise.hints) check(hint, lesson.slug + "/" + exercise.name);
    }
    for (const Question& question : lesson.quiz.questions) {
      const std::string place = lesson.slug + "/" + question.name;
      check(question.text, place);
      check(question.because, place);
      for (const Choice& choice : question.choices) check(choice.because, place);
      for (const Miss& miss : question.misses) check(miss.because, place);
    }
  }
}
