#pragma once
// The course of one question: an answer with a confidence, feedback, a second try, then the answer. Nothing
// moves on by itself.
#include <optional>
#include <string>
#include <vector>

#include "lesson/progress.h"
#include "lesson/quiz.h"

namespace warpbook::ui {

inline constexpr int quiz_tries = 2;

struct QuizState {
  Answer answer;             ///< being put together
  std::string number_text;   ///< as typed
  std::optional<bool> sure;  ///< unset = not said yet
  int attempts = 0;
  bool right = false, revealed = false;
  std::optional<Judgement> judgement;  ///< of the last attempt
  std::vector<int> judged_choices;     ///< what the last attempt had chosen
  std::string problem;                 ///< why an answer could not be judged, in words

  bool finished() const { return right || revealed; }
};

/// Choices in the order in which they are offered; `order` questions start shuffled by their name, never
/// solved.
std::vector<int> offered_order(const Question& question);
/// What a finished question of an earlier session looks like.
QuizState restored(const Question& question, const QuestionProgress& progress);

/// Whether an answer and a confidence are there.
bool can_submit(const Question& question, const QuizState& state);
/// Judges, counts the attempt, notes it in the progress. The first attempt is what counts.
void submit(const Question& question, const Values& values, const std::string& locale, QuizState& state,
            QuestionProgress& progress);
/// Starts over; what was noted of the first attempt stays.
void retry(const Question& question, QuizState& state);

}  // namespace warpbook::ui
