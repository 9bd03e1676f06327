#pragma once
// Live blocks: fenced code whose info string starts with lab, predict, quiz, exercise, code or figure.
#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "lesson/document.h"
#include "lesson/expression.h"

namespace warpbook {

/// The largest page that is parsed.
constexpr size_t max_page_bytes = 1u << 20;

/// Turns a code block into a live one when its info string asks for that: `words` are what follows the
/// keyword. Errors (without a place): too few or too many words, a malformed body.
Result<Done> make_live(Block& block, const std::string& info);

/// The body of a predict block: a number that the learner gives before the run.
struct Prediction {
  std::string lab;       ///< whose controls the expressions use
  std::string question;  ///< markdown with {expressions}
  std::string answer;    ///< expression
  std::string because;   ///< shown afterwards; markdown with {expressions}
  std::string unit;
  double abs = 0, rel = 0;  ///< how far off still counts as right
};
Result<Prediction> prediction_of(const Block& block);

struct PredictionJudgement {
  bool right = false;
  int64_t expected = 0;
  std::string because;
};
/// Errors: an expression that cannot be computed with these values.
Result<PredictionJudgement> judge(const Prediction& prediction, double given, const Values& values);

/// `code FILE` or `code FILE FIRST-LAST`: lines count from 1.
struct CodeRange {
  std::string file;
  int first = 1, last = 0;  ///< last 0 = to the end
};
Result<CodeRange> code_range_of(const Block& block);

}  // namespace warpbook
