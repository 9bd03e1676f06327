// Judging an answer: right or not, and the refutation of what was chosen.
#include "lesson/quiz.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace warpbook {

namespace {

Error cannot(std::string message) { return {std::move(message), Trouble::bad_input, {}, {}}; }

Result<std::string> filled(const LocalText& text, const Values& values, const std::string& locale) {
  return fill_in(text.in(locale), values);
}

/// The first choice whose refutation fits, its reason and its counter-example.
struct Reason {
  const LocalText* because = nullptr;
  const std::optional<ShowMe>* show = nullptr;
  std::string otherwise;  ///< said when because is empty
};

Result<Judgement> finish(const Question& question, bool right, Reason reason, std::string expected,
                         const Values& values, const std::string& locale) {
  Judgement judgement;
  judgement.right = right;
  judgement.expected = std::move(expected);
  const LocalText& said = reason.because && !reason.because->empty() ? *reason.because
                          : right                                    ? question.because
                                                                     : LocalText{};
  const auto text = filled(said, values, locale);
  if (!text) return text.error();
  judgement.because = text->empty() ? std::move(reason.otherwise) : *text;
  if (reason.show) judgement.show = *reason.show;
  return judgement;
}

Result<Judgement> judge_choices(const Question& question, const Answer& answer, const Values& values,
                                const std::string& locale) {
  std::vector<bool> chosen(question.choices.size(), false);
  for (const int index : answer.chosen) {
    if (index < 0 || size_t(index) >= chosen.size())
      return cannot(fmt::format("There is no choice {}.", index + 1));
    chosen[size_t(index)] = true;
  }
  const bool single = question.type == Question::Type::single;
  if (answer.chosen.empty()) return cannot("Nothing is chosen yet.");
  if (single && answer.chosen.size() != 1) return cannot("This question takes one choice.");
  std::vector<std::string> expected;
  const Choice *first_wrong = nullptr, *first_right = nullptr;
  bool missed = false;
  for (size_t i = 0; i < question.choices.size(); ++i) {
    const Choice& choice = question.choices[i];
    const auto right = is_right(choice, values);
    if (!right) return right.error();
    if (*right) {
      const auto text = filled(choice.text, values, locale);
      if (!text) return text.error();
      expected.push_back(*text);
      missed = missed || (!chosen[i] && !single);
    }
    if (chosen[i] && !*right && !first_wrong) first_wrong = &choice;
    if (chosen[i] && *right && !first_right) first_right = &choice;
  }
  Reason reason;
  if (first_wrong) {
    reason = {&first_wrong->because, &first_wrong->show, {}};
  } else if (missed) {
    reason.otherwise = "What you chose is right, and there is more that is right as well.";
  } else if (single) {
    reason = {&first_right->because, nullptr, {}};
  } else {
    reason.because = question.because.empty() && first_right ? &first_right->because : &question.because;
  }
  return finish(question, !first_wrong && !missed, reason, join(expected, "; "), values, locale);
}

Result<Judgement> judge_number(const Question& question, const Answer& answer, const Values& values,
                               const std::string& locale) {
  if (!answer.number || !std::isfinite(*answer.number)) return cannot("This question takes a number.");
  const auto expected = evaluate(question.answer, values);
  if (!expected) return expected.error();
  const double given = *answer.number, wanted = double(*expected);
  const bool right = std::abs(given - wanted) <= std::max(question.abs, question.rel * std::abs(wanted));
  Reason reason;
  for (const Miss& miss : question.misses) {
    if (right || reason.because) break;
    const auto value = evaluate(miss.when, values);
    if (!value) return value.error();
    // With some settings of the controls a wrong way gives the right number; then it is right.
    if (double(*value) == given) reason = {&miss.because, &miss.show, {}};
  }
  const bool line = question.type == Question::Type::line;
  if (!right && !line) reason.otherwise = given < wanted ? "It is more than that." : "It is less than that.";
  if (!right && line) reason.otherwise = "That line does what it should.";
  std::string text = line ? fmt::format("line {}", *expected) : fmt::format("{}", *expected);
  if (!question.unit.empty()) text += "\u202F" + question.unit.in(locale);
  return finish(question, right, reason, std::move(text), values, locale);
}

Result<Judgement> judge_order(const Question& question, const Answer& answer, const Values& values,
                              const std::string& locale) {
  std::vector<int> sorted = answer.chosen;
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] != int(i)) return cannot("Each step goes into the order once.");
  }
  if (sorted.size() != question.choices.size()) return cannot("Every step goes into the order.");
  std::vector<std::string> expected;
  Reason reason;
  bool right = true;
  for (size_t i = 0; i < question.choices.size(); ++i) {
    const auto text = filled(question.choices[i].text, values, locale);
    if (!text) return text.error();
    expected.push_back(*text);
    const Choice& given = question.choices[size_t(answer.chosen[i])];
    if (answer.chosen[i] != int(i) && right) {
      right = false;
      reason = {&given.because, &given.show, fmt::format("Step {} is not in its place yet.", i + 1)};
    }
  }
  return finish(question, right, reason, join(expected, " → "), values, locale);
}

}  // namespace

const Question* Quiz::question(const std::string& name) const {
  for (const Question& candidate : questions) {
    if (candidate.name == name) return &candidate;
  }
  return nullptr;
}

Result<bool> is_right(const Choice& choice, const Values& values) {
  if (choice.right_when.empty()) return choice.right;
  const auto value = evaluate(choice.right_when, values);
  if (!value) return value.error();
  return *value != 0;
}

Result<Judgement> judge(const Question& question, const Answer& answer, const Values& values,
                        const std::string& locale) {
  switch (question.type) {
    case Question::Type::single:
    case Question::Type::several: return judge_choices(question, answer, values, locale);
    case Question::Type::number:
    case Question::Type::line: return judge_number(question, answer, values, locale);
    case Question::Type::order: return judge_order(question, answer, values, locale);
  }
  return cannot("This question has no known type.");
}

}  // namespace warpbook
