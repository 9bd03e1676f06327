#pragma once
// Questions: quizzes/<slug>.json. Keys that can be computed from the current controls are.
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "lesson/expression.h"
#include "lesson/localized.h"

namespace warpbook {

/// Sets a lab to a counter-example.
struct ShowMe {
  std::string lab;
  std::vector<std::pair<std::string, std::string>> set;  ///< control, expression
  std::string schedule;                                  ///< "", "reverse", "shuffled"
  std::string variant;                                   ///< label of a lab's variant, or empty
};

struct Choice {
  LocalText text, because;
  bool right = false;
  std::string right_when;  ///< expression; non-zero = right with the current controls; empty = use `right`
  std::optional<ShowMe> show;
};

struct Miss {
  std::string when;  ///< expression: the wrong number somebody gets
  LocalText because;
  std::optional<ShowMe> show;
};

struct Verify {
  std::string lab;
  std::vector<std::pair<std::string, std::string>> set;
  std::string variant;  ///< label of a lab's variant, or empty
  std::string counter;  ///< the named counter equals the answer
};

struct Question {
  enum class Type { single, several, number, order, line };
  std::string name;
  Type type = Type::single;
  LocalText text;               ///< markdown, with {expressions}
  std::string lab;              ///< whose controls the expressions use; empty = the lesson's first
  std::vector<Choice> choices;  ///< single, several; order: in the right order
  std::string answer;           ///< number: expression; line: the line
  double abs = 0, rel = 0;
  LocalText unit;
  std::string code;          ///< line: file in kernels/<slug>/
  std::vector<Miss> misses;  ///< number and line
  LocalText because;         ///< shown with the right answer
  std::optional<Verify> verify;
};

struct Quiz {
  std::vector<Question> questions;
  const Question* question(const std::string& name) const;
};

/// Whether a choice of a single or several question is right with these values.
Result<bool> is_right(const Choice& choice, const Values& values);

/// What a learner put in.
struct Answer {
  std::vector<int> chosen;       ///< single, several: indices; order: the order given
  std::optional<double> number;  ///< number, line
};

struct Judgement {
  bool right = false;
  std::string because;  ///< in the locale, expressions filled in
  std::optional<ShowMe> show;
  std::string expected;  ///< the right answer in words
};

/// Errors: an expression that cannot be computed with these values.
Result<Judgement> judge(const Question& question, const Answer& answer, const Values& values,
                        const std::string& locale);

}  // namespace warpbook
