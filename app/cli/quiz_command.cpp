// warpbook quiz: a lesson's questions in the terminal, with each lab's controls at their defaults.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>

#include "base/complaint.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/console.h"

namespace warpbook::cli {

namespace {

constexpr const char* locale = "en";

/// A question's text with the numbers of the lab put in.
Result<std::string> filled(const LocalText& text, const Values& values) {
  return fill_in(text.in(locale), values);
}

Result<Values> values_for(const Lesson& lesson, const Question& question) {
  const Lab* lab = question.lab.empty() ? (lesson.labs.empty() ? nullptr : &lesson.labs.front())
                                        : lesson.lab(question.lab);
  if (!lab) return Values{};
  return default_values(*lab);
}

/// The order in which an order question shows its choices: never the right one, and the same each time.
std::vector<int> shown_order(const Question& question) {
  std::vector<int> order(question.choices.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = int(i);
  if (question.type == Question::Type::order && order.size() > 1) {
    uint32_t x = uint32_t(question.name.size()) * 2654435761u + 1;
    for (size_t i = order.size() - 1; i > 0; --i) {
      x = 1664525u * x + 1013904223u;
      std::swap(order[i], order[(x >> 8) % (i + 1)]);
    }
    if (std::is_sorted(order.begin(), order.end()))
      std::rotate(order.begin(), order.begin() + 1, order.end());
  }
  return order;
}

const char* prompt_for(Question::Type type) {
  switch (type) {
    case Question::Type::single: return "Your choice (its number): ";
    case Question::Type::several: return "Your choices (their numbers, with commas): ";
    case Question::Type::number: return "Your number: ";
    case Question::Type::order: return "The right order (numbers, with commas): ";
    case Question::Type::line: return "The line's number: ";
  }
  return "";
}

std::optional<Answer> parse_answer(const Question& question, const std::vector<int>& order,
                                   std::string_view line) {
  Answer answer;
  if (question.type == Question::Type::number || question.type == Question::Type::line) {
    answer.number = parse_double(line);
    return answer.number ? std::optional(answer) : std::nullopt;
  }
  for (std::string_view part : split(line, ',')) {
    const auto number = parse_uint(trim(part));
    if (!number || *number < 1 || *number > order.size()) return std::nullopt;
    answer.chosen.push_back(order[*number - 1]);
  }
  if (question.type == Question::Type::single && answer.chosen.size() != 1) return std::nullopt;
  if (question.type == Question::Type::order && answer.chosen.size() != order.size()) return std::nullopt;
  return answer;
}

/// Line numbers and code, for questions about a line.
std::string listing(const Lesson& lesson, const Question& question) {
  if (question.code.empty()) return {};
  const auto source = read_file(lesson.kernels / question.code, 1u << 20);
  if (!source) return {};
  std::string text;
  int number = 0;
  for (std::string_view line : lines_of(*source)) text += fmt::format("{:>5} | {}\n", ++number, line);
  return text;
}

struct Sitting {
  const Lesson& lesson;
  LessonProgress& progress;
  int asked = 0, right = 0;

  /// False at the end of the input.
  Result<bool> ask(const Question& question) {
    const auto values = values_for(lesson, question);
    if (!values) return values.error();
    const auto text = filled(question.text, *values);
    if (!text) return text.error();
    const std::vector<int> order = shown_order(question);
    std::string page = fmt::format("\n{}. {}\n{}", asked + 1, *text, listing(lesson, question));
    for (size_t i = 0; i < order.size(); ++i) {
      const auto choice = filled(question.choices[size_t(order[i])].text, *values);
      if (!choice) return choice.error();
      page += fmt::format("   {}) {}\n", i + 1, *choice);
    }
    print(page);
    std::optional<Answer> answer;
    while (!answer) {
      print(prompt_for(question.type));
      std::string line;
      if (!std::getline(std::cin, line)) return false;
      answer = parse_answer(question, order, trim(line));
      if (!answer) print("That is no answer to this question.\n");
    }
    const auto judgement = judge(question, *answer, *values, locale);
    if (!judgement) return judgement.error();
    ++asked;
    right += judgement->right;
    print(fmt::format("{} {}\n", judgement->right ? "Right." : "Not so.", judgement->because));
    if (!judgement->right && !judgement->expected.empty())
      print(fmt::format("Right is: {}\n", judgement->expected));
    if (!judgement->right && !question.because.empty()) {
      const auto because = filled(question.because, *values);
      if (!because) return because.error();
      print(*because + "\n");
    }
    QuestionProgress& kept = progress.questions[question.name];
    if (kept.attempts == 0) kept.first_try = judgement->right;
    ++kept.attempts;
    kept.right = kept.right || judgement->right;
    return true;
  }
};

int perform(const std::string& slug, const Invocation& invocation) {
  const auto options = session_options(invocation);
  if (!options) return complain(options.error(), false);
  const Library library = open_library(*options);
  const auto found = find_lesson(library, slug);
  if (!found) return complain(found.error(), false);
  const Lesson& lesson = **found;
  if (lesson.quiz.questions.empty())
    return complain(complaint(Trouble::not_found, fmt::format("lesson {} has no questions", slug)), false);
  const Path file = progress_file(user_folders());
  auto progress = load_progress(file);
  if (!progress) warn("warning: progress will not be recorded: " + to_string(progress.error()));
  LessonProgress unkept;
  Sitting sitting{lesson, progress ? progress->lessons[slug] : unkept};
  print(fmt::format("{} ({} questions)\n", lesson.title.in(locale), lesson.quiz.questions.size()));
  for (const Question& question : lesson.quiz.questions) {
    const auto more = sitting.ask(question);
    if (!more) return complain(more.error(), false);
    if (!*more) break;
  }
  if (progress && sitting.asked > 0)
    if (const auto saved = save_progress(file, *progress); !saved)
      warn("warning: progress was not recorded: " + to_string(saved.error()));
  return print(fmt::format("\n{} of {} right.\n", sitting.right, sitting.asked));
}

}  // namespace

void add_quiz(CLI::App& app, Invocation& invocation) {
  auto slug = std::make_shared<std::string>();
  app.add_option("lesson", *slug, "The lesson")->required()->type_name("SLUG");
  app.callback([slug, &invocation] {
    invocation.action = [slug, &invocation] { return perform(*slug, invocation); };
  });
}

}  // namespace warpbook::cli
