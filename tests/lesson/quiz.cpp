// Judging answers, and what a quiz file may not be.
#include "lesson/quiz.h"

#include "catch.h"
#include "folder.h"
#include "lesson/quiz_loader.h"

using namespace warpbook;

namespace {

const Values values{{"n", 1000}, {"block.x", 128}};

Quiz quiz_of(const std::string& questions) {
  auto reader = JsonReader::parse("{\"questions\": {" + questions + "}}", "q.json");
  REQUIRE(reader);
  Quiz quiz = read_quiz(**reader);
  INFO((*reader)->error().message);
  REQUIRE_FALSE((*reader)->failed());
  return quiz;
}

std::string refused(const std::string& questions) {
  auto reader = JsonReader::parse("{\"questions\": {" + questions + "}}", "q.json");
  REQUIRE(reader);
  read_quiz(**reader);
  REQUIRE((*reader)->failed());
  return (*reader)->error().message;
}

Judgement judged(const Question& question, Answer answer) {
  const auto result = judge(question, answer, values, "en");
  INFO((result ? std::string() : result.error().message));
  REQUIRE(result);
  return *result;
}

const char* const order_question = R"("q": {"type": "order", "text": "Order", "choices": [
  {"text": "load"}, {"text": "wait", "because": "Waiting comes after loading."}, {"text": "use"}]})";

}  // namespace

TEST_CASE("a single choice is refuted with its own reason") {
  const Quiz quiz = quiz_of(R"("first": {"type": "single", "text": "Which?", "choices": [
    {"text": "Block 0", "because": "Of {n} elements nobody is first.", "show": {"lab": "cover", "set": {"n": "n / 2"}, "schedule": "reverse"}},
    {"text": "Any", "right": true, "because": "Yes."}]})");
  const Question& question = *quiz.question("first");
  CHECK(quiz.question("second") == nullptr);
  Judgement judgement = judged(question, {{0}, {}});
  CHECK_FALSE(judgement.right);
  CHECK(judgement.because == "Of 1000 elements nobody is first.");
  REQUIRE(judgement.show);
  CHECK(judgement.show->schedule == "reverse");
  CHECK(judgement.show->set[0].second == "n / 2");
  CHECK(judgement.expected == "Any");
  judgement = judged(question, {{1}, {}});
  CHECK(judgement.right);
  CHECK(judgement.because == "Yes.");
  CHECK_FALSE(judge(question, {{2}, {}}, values, "en"));
  CHECK_FALSE(judge(question, {{-1}, {}}, values, "en"));
  CHECK_FALSE(judge(question, {{}, {}}, values, "en"));
  CHECK_FALSE(judge(question, {{0, 1}, {}}, values, "en"));
}

TEST_CASE("several choices need all of the right ones and none else") {
  const Quiz quiz = quiz_of(R"("s": {"type": "several", "text": "Which?", "because": "Both.", "choices": [
    {"text": "a", "right": true}, {"text": "b", "right": true}, {"text": "c", "because": "Not c."}]})");
  const Question& question = quiz.questions[0];
  CHECK(judged(question, {{0, 1}, {}}).right);
  CHECK(judged(question, {{1, 0}, {}}).because == "Both.");
  CHECK_FALSE(judged(question, {{0}, {}}).right);
  CHECK(has(judged(question, {{0}, {}}).because, "there is more"));
  CHECK(judged(question, {{0, 1, 2}, {}}).because == "Not c.");
}

TEST_CASE("choices can be right by the controls") {
  const Quiz quiz = quiz_of(R"json("s": {"type": "single", "text": "?", "choices": [
    {"text": "refused", "right_when": "block.x / 1025", "because": "It fits."},
    {"text": "runs", "right_when": "1 - min(1, block.x / 1025)", "because": "It does not fit."}]})json");
  const Question& question = quiz.questions[0];
  CHECK(judge(question, {{1}, {}}, {{"block.x", 1024}}, "en")->right);
  CHECK(judge(question, {{0}, {}}, {{"block.x", 1025}}, "en")->right);
  CHECK(judge(question, {{1}, {}}, {{"block.x", 1025}}, "en")->because == "It does not fit.");
  CHECK_FALSE(judge(question, {{1}, {}}, {}, "en"));
}

TEST_CASE("numbers are computed, and known mistakes are named") {
  const Quiz quiz =
      quiz_of(R"("r": {"type": "number", "text": "n is {n}", "answer": "ceil_div(n, block.x) * block.x",
    "unit": "threads", "because": "Whole blocks.", "misses": [{"when": "n", "because": "Not {n}."}]})");
  const Question& question = quiz.questions[0];
  CHECK(judged(question, {{}, 1024.0}).right);
  CHECK(judged(question, {{}, 1024.0}).because == "Whole blocks.");
  CHECK(judged(question, {{}, 1000.0}).because == "Not 1000.");
  CHECK(has(judged(question, {{}, 7.0}).because, "more than that"));
  CHECK(has(judged(question, {{}, 5000.0}).because, "less than that"));
  CHECK(has(judged(question, {{}, 7.0}).expected, "1024"));
  CHECK_FALSE(judge(question, {{}, {}}, values, "en"));
  CHECK_FALSE(judge(question, {{}, std::nan("")}, values, "en"));
  // Where the wrong way gives the right number, it is right.
  CHECK(judge(question, {{}, 1024.0}, {{"n", 1024}, {"block.x", 128}}, "en")->right);
}

TEST_CASE("numbers have margins") {
  const Quiz quiz = quiz_of(R"("a": {"type": "number", "text": "?", "answer": 100, "abs": 2},
                               "r": {"type": "number", "text": "?", "answer": "n", "rel": 0.1})");
  CHECK(judged(quiz.questions[0], {{}, 98.0}).right);
  CHECK_FALSE(judged(quiz.questions[0], {{}, 97.9}).right);
  CHECK(judged(quiz.questions[1], {{}, 1100.0}).right);
  CHECK_FALSE(judged(quiz.questions[1], {{}, 1101.0}).right);
}

TEST_CASE("an order names the first step that is out of place") {
  const Quiz quiz = quiz_of(order_question);
  const Question& question = quiz.questions[0];
  CHECK(judged(question, {{0, 1, 2}, {}}).right);
  CHECK(judged(question, {{1, 0, 2}, {}}).because == "Waiting comes after loading.");
  CHECK(has(judged(question, {{0, 2, 1}, {}}).because, "Step 2"));
  CHECK(judged(question, {{1, 0, 2}, {}}).expected == "load → wait → use");
  CHECK_FALSE(judge(question, {{0, 0, 1}, {}}, values, "en"));
  CHECK_FALSE(judge(question, {{0, 1}, {}}, values, "en"));
  CHECK_FALSE(judge(question, {{0, 1, 9}, {}}, values, "en"));
}

TEST_CASE("a line is right or has its reason") {
  const Quiz quiz = quiz_of(
      R"("l": {"type": "line", "text": "?", "answer": 7, "code": "k.cu", "misses": [{"when": 8, "because": "No."}]})");
  CHECK(judged(quiz.questions[0], {{}, 7.0}).right);
  CHECK(judged(quiz.questions[0], {{}, 8.0}).because == "No.");
  CHECK(judged(quiz.questions[0], {{}, 1.0}).because == "That line does what it should.");
  CHECK(judged(quiz.questions[0], {{}, 1.0}).expected == "line 7");
}

TEST_CASE("a quiz file is held to its rules") {
  CHECK(has(refused(R"("q": {"type": "singel", "text": "?"})"), "/questions/q/type"));
  CHECK(has(
      refused(
          R"("q": {"type": "single", "text": "?", "choices": [{"text": "a", "right": true}, {"text": "b"}]})"),
      "/questions/q/choices/1: a choice that can be wrong needs"));
  CHECK(has(
      refused(
          R"("q": {"type": "single", "text": "?", "choices": [{"text": "a", "because": "x"}, {"text": "b", "because": "x"}]})"),
      "exactly one"));
  CHECK(has(refused(R"("q": {"type": "single", "text": "?", "choices": [{"text": "a", "right": true}]})"),
            "at least two"));
  CHECK(has(refused(R"("q": {"type": "number", "text": "?"})"), "\"answer\" is missing"));
  CHECK(has(refused(R"("q": {"type": "number", "text": "?", "answer": "1 +"})"), "/questions/q/answer"));
  CHECK(has(refused(R"("q": {"type": "number", "text": "{n", "answer": "1"})"), "/questions/q/text"));
  CHECK(
      has(refused(R"("q": {"type": "number", "text": "?", "answer": "1", "abs": -1})"), "/questions/q/abs"));
  CHECK(has(refused(R"("q": {"type": "number", "text": "?", "answer": "1", "choices": []})"),
            "unknown key \"choices\""));
  CHECK(has(refused(R"("Q q": {"type": "number", "text": "?", "answer": "1"})"), "lower-case"));
  CHECK(has(refused(R"("q": {"type": "line", "text": "?", "answer": "1"})"), "\"code\" is missing"));
  CHECK(has(
      refused(
          R"("q": {"type": "number", "text": "?", "answer": "1", "misses": [{"when": "2", "because": "x", "show": {"lab": "l", "schedule": "x"}}]})"),
      "schedule"));
  CHECK(has(refused(R"("q": 3)"), "expected an object"));
}
