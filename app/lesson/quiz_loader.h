#pragma once
// quizzes/<slug>.json to a Quiz.
#include "base/result.h"
#include "lesson/json_reader.h"
#include "lesson/quiz.h"

namespace warpbook {

/// Checks what the file alone can tell; what it says about labs is checked where the lesson is known.
Quiz read_quiz(JsonReader& reader);

}  // namespace warpbook
