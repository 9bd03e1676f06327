// Every wrong choice needs a refutation, and every type its own parts.
#include "lesson/quiz_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "lesson/reading.h"

namespace warpbook {

namespace {

constexpr std::array<std::pair<std::string_view, Question::Type>, 5> types{{
    {"single", Question::Type::single},
    {"several", Question::Type::several},
    {"number", Question::Type::number},
    {"order", Question::Type::order},
    {"line", Question::Type::line},
}};

std::vector<std::pair<std::string, std::string>> read_settings(const JsonNode& node) {
  std::vector<std::pair<std::string, std::string>> settings;
  if (!node.present()) return settings;
  for (const auto& [name, value] : node.members()) settings.emplace_back(name, read_expression(value));
  return settings;
}

std::optional<ShowMe> read_show(const JsonNode& node) {
  if (!node.present()) return std::nullopt;
  JsonObject object(node);
  ShowMe show;
  show.lab = object.need("lab", "the name of a lab").text();
  show.set = read_settings(object.get("set"));
  const JsonNode schedule = object.get("schedule");
  show.schedule = schedule.text();
  if (!show.schedule.empty() && show.schedule != "reverse" && show.schedule != "shuffled") {
    schedule.fail("expected \"reverse\" or \"shuffled\".");
  }
  show.variant = object.get("variant").text();
  object.finish();
  return show;
}

Choice read_choice(const JsonNode& node, Question::Type type) {
  JsonObject object(node);
  Choice choice;
  choice.text = read_filled_text(object.need("text", "what the choice says"));
  choice.because = read_filled_text(object.get("because"));
  const JsonNode right = object.get("right"), right_when = object.get("right_when");
  choice.right = right.boolean(false);
  if (right_when.present()) choice.right_when = read_expression(right_when);
  choice.show = read_show(object.get("show"));
  object.finish();
  if (type == Question::Type::order) {
    if (right.present() || right_when.present())
      right.fail("steps of an order are not right or wrong by themselves.");
  } else if (!choice.right && choice.because.empty()) {
    node.fail("a choice that can be wrong needs a \"because\" that refutes it.");
  }
  return choice;
}

Miss read_miss(const JsonNode& node) {
  JsonObject object(node);
  Miss miss;
  miss.when = read_expression(object.need("when", "the expression of a wrong number"));
  miss.because = read_filled_text(object.need("because", "why that number is wrong"));
  miss.show = read_show(object.get("show"));
  object.finish();
  return miss;
}

Verify read_verify(const JsonNode& node) {
  JsonObject object(node);
  Verify verify;
  verify.lab = object.need("lab", "the name of a lab").text();
  verify.set = read_settings(object.get("set"));
  verify.variant = object.get("variant").text();
  verify.counter = object.need("counter", "the name of a counter").text();
  object.finish();
  return verify;
}

void check_choices(const JsonNode& node, const Question& question) {
  if (question.choices.size() < 2) node.fail("expected at least two choices.");
  if (question.type != Question::Type::single) return;
  const bool computed = std::any_of(question.choices.begin(), question.choices.end(),
                                    [](const Choice& choice) { return !choice.right_when.empty(); });
  const auto right = std::count_if(question.choices.begin(), question.choices.end(),
                                   [](const Choice& choice) { return choice.right; });
  if (!computed && right != 1) {
    node.fail(fmt::format("expected exactly one choice with \"right\": true, found {}.", right));
  }
}

Question read_question(const std::string& name, const JsonNode& node) {
  JsonObject object(node);
  Question question;
  question.name = name;
  const JsonNode type = object.need("type", "single, several, number, order or line");
  bool known = false;
  for (const auto& [word, value] : types) {
    if (type.text() != word) continue;
    question.type = value;
    known = true;
  }
  if (!known) type.fail("expected single, several, number, order or line.");
  question.text = read_filled_text(object.need("text", "the question"));
  question.lab = object.get("lab").text();
  question.because = read_filled_text(object.get("because"));
  const bool by_choice = question.type == Question::Type::single ||
                         question.type == Question::Type::several || question.type == Question::Type::order;
  if (by_choice) {
    const JsonNode choices = object.need("choices", "a list of choices");
    for (const JsonNode& choice : choices.items())
      question.choices.push_back(read_choice(choice, question.type));
    if (choices.present()) check_choices(choices, question);
  } else {
    question.answer = read_expression(object.need("answer", "an expression that gives the right number"));
    for (const JsonNode& miss : list_or_nothing(object.get("misses")))
      question.misses.push_back(read_miss(miss));
  }
  if (question.type == Question::Type::number) {
    question.abs = read_margin(object.get("abs"));
    question.rel = read_margin(object.get("rel"));
    question.unit = object.get("unit").local_text();
    const JsonNode verify = object.get("verify");
    if (verify.present()) question.verify = read_verify(verify);
  }
  if (question.type == Question::Type::line) {
    question.code = object.need("code", "a file in the lesson's folder of kernels").text();
  }
  object.finish();
  return question;
}

}  // namespace

Quiz read_quiz(JsonReader& reader) {
  JsonObject root(reader.root());
  root.get("$schema").text();
  Quiz quiz;
  for (const auto& [name, node] : root.need("questions", "an object of questions by name").members()) {
    check_name(name, node);
    quiz.questions.push_back(read_question(name, node));
  }
  root.finish();
  return quiz;
}

}  // namespace warpbook
