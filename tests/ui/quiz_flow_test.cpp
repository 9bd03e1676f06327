// The course of a question: two tries, then the answer; the first attempt is what counts.
#include "ui/quiz_flow.h"

#include "catch.h"

using namespace warpbook;
using namespace warpbook::ui;

namespace {

LocalText english(const std::string& text) { return LocalText{{{"en", text}}}; }

Question single() {
  Question question;
  question.name = "order";
  question.choices.resize(3);
  const char* texts[] = {"Block 0", "Any block", "The largest"};
  for (int i = 0; i < 3; ++i) {
    question.choices[size_t(i)].text = english(texts[i]);
    question.choices[size_t(i)].because = english("because " + std::to_string(i));
  }
  question.choices[1].right = true;
  return question;
}

Question number() {
  Question question;
  question.name = "threads";
  question.type = Question::Type::number;
  question.answer = "n * 2";
  question.misses.push_back({"n", english("You forgot to double."), {}});
  return question;
}

}  // namespace

TEST_CASE("an answer needs a choice and a confidence") {
  const Question question = single();
  QuizState state;
  CHECK_FALSE(can_submit(question, state));
  state.answer.chosen = {0};
  CHECK_FALSE(can_submit(question, state));
  state.sure = true;
  CHECK(can_submit(question, state));
}

TEST_CASE("right at the first try ends the question and is noted so") {
  const Question question = single();
  QuizState state;
  QuestionProgress progress;
  state.answer.chosen = {1};
  state.sure = false;
  submit(question, {}, "en", state, progress);
  CHECK(state.right);
  CHECK(state.finished());
  CHECK(progress.first_try);
  CHECK_FALSE(progress.sure);
  CHECK(progress.attempts == 1);
}

TEST_CASE("wrong twice reveals, and the first attempt stays noted as wrong") {
  const Question question = single();
  QuizState state;
  QuestionProgress progress;
  state.answer.chosen = {0};
  state.sure = true;
  submit(question, {}, "en", state, progress);
  REQUIRE(state.judgement);
  CHECK(state.judgement->because == "because 0");
  CHECK_FALSE(state.finished());
  state.answer.chosen = {2};
  submit(question, {}, "en", state, progress);
  CHECK(state.revealed);
  CHECK(progress.revealed);
  CHECK_FALSE(progress.right);
  // A finished question takes no more answers.
  state.answer.chosen = {1};
  submit(question, {}, "en", state, progress);
  CHECK(progress.attempts == 2);
  // After a fresh start a right answer counts as right, but not as a first try.
  retry(question, state);
  state.answer.chosen = {1};
  state.sure = true;
  submit(question, {}, "en", state, progress);
  CHECK(progress.right);
  CHECK_FALSE(progress.first_try);
}

TEST_CASE("a number is judged with the current controls and misses are named") {
  const Question question = number();
  QuizState state;
  QuestionProgress progress;
  state.sure = true;
  state.number_text = "seven";
  CHECK_FALSE(can_submit(question, state));
  state.number_text = " 5 ";
  submit(question, {{"n", 5}}, "en", state, progress);
  REQUIRE(state.judgement);
  CHECK(state.judgement->because == "You forgot to double.");
  state.number_text = "10";
  submit(question, {{"n", 5}}, "en", state, progress);
  CHECK(state.right);
}

TEST_CASE("an expression that cannot be computed costs no attempt and says why") {
  const Question question = number();
  QuizState state;
  QuestionProgress progress;
  state.sure = true;
  state.number_text = "3";
  submit(question, {}, "en", state, progress);
  CHECK_FALSE(state.problem.empty());
  CHECK(progress.attempts == 0);
}

TEST_CASE("things to be ordered never start in the right order") {
  Question question;
  question.type = Question::Type::order;
  for (int count = 2; count < 8; ++count) {
    question.choices.resize(size_t(count));
    for (const char* name : {"a", "steps", "copy-launch-copy", "x1", "x2", "x3"}) {
      question.name = name;
      const std::vector<int> order = offered_order(question);
      CHECK_FALSE(std::is_sorted(order.begin(), order.end()));
      std::vector<int> sorted = order;
      std::sort(sorted.begin(), sorted.end());
      for (int i = 0; i < count; ++i) CHECK(sorted[size_t(i)] == i);
    }
  }
}
