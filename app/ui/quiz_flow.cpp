#include "ui/quiz_flow.h"

#include <algorithm>
#include <numeric>

#include "base/text.h"

namespace warpbook::ui {

std::vector<int> offered_order(const Question& question) {
  std::vector<int> order(question.choices.size());
  std::iota(order.begin(), order.end(), 0);
  if (question.type != Question::Type::order || order.size() < 2) return order;
  // FNV-1a of the name seeds a shuffle that is the same on every machine.
  uint32_t seed = 2166136261u;
  for (const char c : question.name) seed = (seed ^ uint8_t(c)) * 16777619u;
  for (size_t i = order.size() - 1; i > 0; --i) {
    seed = seed * 1664525u + 1013904223u;
    std::swap(order[i], order[(seed >> 8) % (i + 1)]);
  }
  if (std::is_sorted(order.begin(), order.end())) std::swap(order.front(), order.back());
  return order;
}

QuizState restored(const Question& question, const QuestionProgress& progress) {
  QuizState state;
  if (question.type == Question::Type::order) state.answer.chosen = offered_order(question);
  state.attempts = progress.attempts;
  state.right = progress.right;
  state.revealed = progress.revealed;
  if (progress.attempts > 0) state.sure = progress.sure;
  return state;
}

bool can_submit(const Question& question, const QuizState& state) {
  if (state.finished() || !state.sure) return false;
  switch (question.type) {
    case Question::Type::single: return state.answer.chosen.size() == 1;
    case Question::Type::several: return !state.answer.chosen.empty();
    case Question::Type::number: return parse_double(trim(state.number_text)).has_value();
    case Question::Type::order: return state.answer.chosen.size() == question.choices.size();
    case Question::Type::line: return state.answer.number.has_value();
  }
  return false;
}

void submit(const Question& question, const Values& values, const std::string& locale, QuizState& state,
            QuestionProgress& progress) {
  if (!can_submit(question, state)) return;
  if (question.type == Question::Type::number) state.answer.number = parse_double(trim(state.number_text));
  Result<Judgement> judged = judge(question, state.answer, values, locale);
  if (!judged) {
    state.problem = judged.error().message;
    return;
  }
  state.problem.clear();
  state.judgement = std::move(*judged);
  state.judged_choices = state.answer.chosen;
  ++state.attempts;
  state.right = state.judgement->right;
  if (!state.right && state.attempts >= quiz_tries) state.revealed = true;
  if (progress.attempts == 0) {
    progress.first_try = state.right;
    progress.sure = state.sure.value_or(false);
  }
  ++progress.attempts;
  progress.right = progress.right || state.right;
  progress.revealed = progress.revealed || state.revealed;
}

void retry(const Question& question, QuizState& state) {
  state = QuizState{};
  if (question.type == Question::Type::order) state.answer.chosen = offered_order(question);
}

}  // namespace warpbook::ui
