// What a lesson's three files say about each other. A mistake here is found when the lesson is loaded, not
// when a learner comes to it.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/text.h"
#include "lesson/json_positions.h"
#include "lesson/lesson_loader.h"
#include "lesson/live_blocks.h"

namespace warpbook {

namespace {

bool is_file(const Path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

template <class T>
std::vector<std::string> names_of(const std::vector<T>& things) {
  std::vector<std::string> names;
  for (const T& thing : things) names.push_back(thing.name);
  return names;
}

std::string no_such(std::string_view what, const std::string& name, const std::vector<std::string>& known) {
  if (const auto near = nearest_word(name, known)) {
    return fmt::format("there is no {} \"{}\"; did you mean \"{}\"?", what, name, *near);
  }
  return fmt::format("there is no {} \"{}\"; there {}", what, name,
                     known.empty() ? "are none." : "is " + join(known, ", ") + ".");
}

/// The name in front of an argument's "=".
std::vector<std::string> argument_names(const std::vector<std::string>& args) {
  std::vector<std::string> names;
  for (const std::string& arg : args) names.push_back(arg.substr(0, arg.find('=')));
  return names;
}

/// An expression of a text or a plain expression, evaluated once at known values: names, zero divisors,
/// overflow.
class Checker {
 public:
  Checker(const Lesson& lesson, JsonReader& reader) : lesson_(lesson), reader_(reader) {}

  void expression(const std::string& pointer, const std::string& text, const Values& values) {
    if (text.empty()) return;
    if (const auto value = evaluate(text, values); !value) reader_.fail(pointer, value.error().message);
  }
  void filled(const std::string& pointer, const LocalText& text, const Values& values) {
    for (const auto& [locale, words] : text.by_locale) filled(pointer, words, values);
  }
  void filled(const std::string& pointer, const std::string& text, const Values& values) {
    if (const auto value = fill_in(text, values); !value) reader_.fail(pointer, value.error().message);
  }
  void kernel_file(const std::string& pointer, const std::string& file) {
    if (!is_file(lesson_.kernels / file)) {
      reader_.fail(pointer, fmt::format("there is no file kernels/{}/{}.", lesson_.slug, file));
    }
  }

  void lab(const Lab& lab) {
    const std::string at = "/labs/" + pointer_step(lab.name);
    if (lab.variants.empty()) kernel_file(at + "/kernel", lab.kernel);
    for (const auto& [label, file] : lab.variants) kernel_file(at + "/variants/" + pointer_step(label), file);
    const Result<Values> values = default_values(lab);
    if (!values) return reader_.fail(at + "/launch", values.error().message);
    for (size_t i = 0; i < lab.args.size(); ++i)
      filled(fmt::format("{}/args/{}", at, i), lab.args[i], *values);
    expression(at + "/launch/shared", lab.shared, *values);
    const std::vector<std::string> buffers = argument_names(lab.args);
    for (size_t i = 0; i < lab.views.size(); ++i)
      view(fmt::format("{}/views/{}", at, i), lab.views[i], buffers, *values);
  }

  /// Options that name a buffer name one, and options with {braces} can be computed.
  void view(const std::string& at, const ViewSpec& view, const std::vector<std::string>& buffers,
            const Values& values) {
    for (const auto& [key, json] : view.options) {
      if (json.size() < 2 || json.front() != '"') continue;
      const std::string text = json.substr(1, json.size() - 2);
      const std::string pointer = at + "/" + pointer_step(key);
      if (text.find('{') != std::string::npos) filled(pointer, text, values);
      const bool names_buffer = key == "buffer" || key == "reference";
      if (names_buffer && std::find(buffers.begin(), buffers.end(), text) == buffers.end()) {
        reader_.fail(pointer, no_such("argument", text, buffers));
      }
    }
  }

  void exercise(const Exercise& exercise) {
    const std::string at = "/exercises/" + pointer_step(exercise.name);
    for (const char* file : {"exercise.cu", "solution.cu"}) kernel_file(at, exercise.name + "/" + file);
    if (exercise.program) return;  // its sizes and launches stand in its own text
    const std::vector<std::string> buffers = argument_names(exercise.args);
    const size_t runs = exercise.sizes.empty() ? 1 : exercise.sizes[0].second.size();
    for (size_t run = 0; run < runs; ++run) {
      for (const std::vector<int64_t>& block : exercise.blocks) {
        Values values;
        for (const auto& [name, sizes] : exercise.sizes) values[name] = sizes[run];
        for (const auto& [name, value] : exercise.defines) values[name] = value;
        for (size_t axis = 0; axis < 3; ++axis) {
          values[std::string("block.") + "xyz"[axis]] = axis < block.size() ? block[axis] : 1;
        }
        exercise_at(at, exercise, values);
      }
    }
    for (size_t i = 0; i < exercise.checks.size(); ++i) {
      const Check& check = exercise.checks[i];
      for (size_t b = 0; b < check.buffers.size(); ++b) {
        if (std::find(buffers.begin(), buffers.end(), check.buffers[b]) != buffers.end()) continue;
        reader_.fail(fmt::format("{}/checks/{}/buffers/{}", at, i, b),
                     no_such("argument", check.buffers[b], buffers));
      }
    }
    for (size_t i = 0; i < exercise.expect.size(); ++i) {
      const Exercise::Expect& expect = exercise.expect[i];
      if (std::find(buffers.begin(), buffers.end(), expect.buffer) == buffers.end()) {
        reader_.fail(fmt::format("{}/expect/{}/buffer", at, i), no_such("argument", expect.buffer, buffers));
      }
    }
  }

  void exercise_at(const std::string& at, const Exercise& exercise, Values values) {
    for (size_t axis = 0; axis < 3; ++axis) {
      const std::string name = std::string("grid.") + "xyz"[axis];
      int64_t dimension = 1;
      if (axis < exercise.grid.size()) {
        const auto value = evaluate(exercise.grid[axis], values);
        if (!value) return reader_.fail(fmt::format("{}/launch/grid/{}", at, axis), value.error().message);
        dimension = *value;
      }
      values[name] = dimension;
    }
    expression(at + "/launch/shared", exercise.shared, values);
    for (size_t i = 0; i < exercise.args.size(); ++i)
      filled(fmt::format("{}/args/{}", at, i), exercise.args[i], values);
    for (size_t i = 0; i < exercise.checks.size(); ++i) {
      const std::string check = fmt::format("{}/checks/{}", at, i);
      expression(check + "/at_most", exercise.checks[i].at_most_expression, values);
      expression(check + "/at_least", exercise.checks[i].at_least_expression, values);
    }
  }

 private:
  const Lesson& lesson_;
  JsonReader& reader_;
};

/// Questions against the lesson's labs, at the labs' starting values.
class QuizChecker {
 public:
  QuizChecker(const Lesson& lesson, JsonReader& reader)
      : lesson_(lesson), reader_(reader), checker_(lesson, reader) {}

  void question(const Question& question) {
    const std::string at = "/questions/" + pointer_step(question.name);
    const Lab* lab = find_lab(at + "/lab", question.lab);
    Values values;
    if (lab) {
      const auto found = default_values(*lab);
      if (!found) return;  // the lab's own mistake is reported with the lab
      values = *found;
    }
    checker_.filled(at + "/text", question.text, values);
    checker_.filled(at + "/because", question.because, values);
    checker_.expression(at + "/answer", question.answer, values);
    for (size_t i = 0; i < question.choices.size(); ++i) {
      const Choice& choice = question.choices[i];
      const std::string place = fmt::format("{}/choices/{}", at, i);
      checker_.filled(place + "/text", choice.text, values);
      checker_.filled(place + "/because", choice.because, values);
      checker_.expression(place + "/right_when", choice.right_when, values);
      if (choice.show) show(place + "/show", *choice.show, values);
    }
    for (size_t i = 0; i < question.misses.size(); ++i) {
      const std::string place = fmt::format("{}/misses/{}", at, i);
      checker_.expression(place + "/when", question.misses[i].when, values);
      checker_.filled(place + "/because", question.misses[i].because, values);
      if (question.misses[i].show) show(place + "/show", *question.misses[i].show, values);
    }
    if (question.verify) {
      const Lab* verified = find_lab(at + "/verify/lab", question.verify->lab);
      settings(at + "/verify/set", verified, question.verify->set, values);
      variant(at + "/verify/variant", verified, question.verify->variant);
    }
    if (question.type == Question::Type::line) code_line(at, question, values);
  }

 private:
  const Lab* find_lab(const std::string& pointer, const std::string& name) {
    if (name.empty()) return lesson_.labs.empty() ? nullptr : &lesson_.labs[0];
    const Lab* lab = lesson_.lab(name);
    if (!lab) reader_.fail(pointer, no_such("lab", name, names_of(lesson_.labs)));
    return lab;
  }

  void show(const std::string& at, const ShowMe& show, const Values& values) {
    const Lab* lab = find_lab(at + "/lab", show.lab);
    settings(at + "/set", lab, show.set, values);
    variant(at + "/variant", lab, show.variant);
  }

  void settings(const std::string& at, const Lab* lab,
                const std::vector<std::pair<std::string, std::string>>& set, const Values& values) {
    if (!lab) return;
    const std::vector<std::string> controls = names_of(lab->controls);
    for (const auto& [name, text] : set) {
      const std::string pointer = at + "/" + pointer_step(name);
      if (std::find(controls.begin(), controls.end(), name) == controls.end()) {
        reader_.fail(pointer, no_such("control", name, controls));
      }
      checker_.expression(pointer, text, values);
    }
  }

  void variant(const std::string& pointer, const Lab* lab, const std::string& label) {
    if (!lab || label.empty()) return;
    std::vector<std::string> labels;
    for (const auto& entry : lab->variants) labels.push_back(entry.first);
    if (std::find(labels.begin(), labels.end(), label) == labels.end()) {
      reader_.fail(pointer, no_such("variant", label, labels));
    }
  }

  void code_line(const std::string& at, const Question& question, const Values& values) {
    checker_.kernel_file(at + "/code", question.code);
    const auto source = read_file(lesson_.kernels / question.code, 1u << 20);
    const auto line = evaluate(question.answer, values);
    if (!source || !line) return;
    const auto lines = int64_t(lines_of(*source).size());
    if (*line < 1 || *line > lines) {
      reader_.fail(at + "/answer",
                   fmt::format("the file has {} lines, and {} is not one of them.", lines, *line));
    }
  }

  const Lesson& lesson_;
  JsonReader& reader_;
  Checker checker_;
};

Result<Done> check_block(const Lesson& lesson, const Block& block, const std::string& file) {
  const auto refuse = [&](const std::string& message) {
    std::string text = message;
    if (!text.empty() && text[0] == 't') text[0] = 'T';
    return Error{text, Trouble::bad_input, {file, block.line, 1}, {}};
  };
  switch (block.kind) {
    case Block::Kind::lab:
      if (!lesson.lab(block.words[0])) return refuse(no_such("lab", block.words[0], names_of(lesson.labs)));
      break;
    case Block::Kind::exercise:
      if (!lesson.exercise(block.words[0])) {
        return refuse(no_such("exercise", block.words[0], names_of(lesson.exercises)));
      }
      break;
    case Block::Kind::quiz:
      for (const std::string& word : block.words) {
        if (!lesson.quiz.question(word))
          return refuse(no_such("question", word, names_of(lesson.quiz.questions)));
      }
      break;
    case Block::Kind::predict: {
      const Lab* lab = lesson.lab(block.words[0]);
      if (!lab) return refuse(no_such("lab", block.words[0], names_of(lesson.labs)));
      const auto values = default_values(*lab);
      const auto prediction = prediction_of(block);
      if (!values || !prediction) break;
      for (const std::string& text : {prediction->question, prediction->because}) {
        if (const auto filled = fill_in(text, *values); !filled) return refuse(filled.error().message);
      }
      if (const auto answer = evaluate(prediction->answer, *values); !answer)
        return refuse(answer.error().message);
      break;
    }
    case Block::Kind::live_code: {
      const auto range = code_range_of(block);
      const Path path = lesson.kernels / block.words[0];
      const auto source = read_file(path, 1u << 20);
      if (block.words[0].find("..") != std::string::npos || !is_file(path) || !source) {
        return refuse(fmt::format("There is no file kernels/{}/{}.", lesson.slug, block.words[0]));
      }
      const size_t lines = lines_of(*source).size();
      if (range && (size_t(range->first) > lines || size_t(range->last) > lines)) {
        return refuse(
            fmt::format("{} has {} lines; lines {} are asked for.", range->file, lines, block.words[1]));
      }
      break;
    }
    case Block::Kind::figure:
      if (block.words[0].find("..") != std::string::npos || !is_file(lesson.folder / block.words[0])) {
        return refuse(fmt::format("There is no file lessons/{}/{}.", lesson.slug, block.words[0]));
      }
      break;
    default: break;
  }
  return Done{};
}

}  // namespace

Result<Done> check_references(const Lesson& lesson, JsonReader& reader, JsonReader* quiz_reader) {
  Checker checker(lesson, reader);
  for (const Lab& lab : lesson.labs) checker.lab(lab);
  for (const Exercise& exercise : lesson.exercises) checker.exercise(exercise);
  if (reader.failed()) return reader.error();
  if (quiz_reader) {
    QuizChecker quiz(lesson, *quiz_reader);
    for (const Question& question : lesson.quiz.questions) quiz.question(question);
    if (quiz_reader->failed()) return quiz_reader->error();
  }
  for (const auto& [locale, page] : lesson.pages) {
    const std::string name = locale == "en" ? "lesson.md" : "lesson." + locale + ".md";
    for (const Block& block : page.blocks) {
      if (const auto done = check_block(lesson, block, (lesson.folder / name).string()); !done)
        return done.error();
    }
  }
  return Done{};
}

}  // namespace warpbook
