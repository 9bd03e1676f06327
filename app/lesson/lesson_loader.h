#pragma once
// lesson.json to labs and exercises.
#include "lesson/json_reader.h"
#include "lesson/lesson.h"

namespace warpbook {

/// Fills everything that lesson.json says; what it says about other files is checked by check_references.
void read_lesson(JsonReader& reader, Lesson& lesson);

/// Files that are named exist, expressions use names that exist, live blocks and questions refer to what is
/// there. `reader` and `quiz_reader` give the places; errors go to them, or are returned when they stand in a
/// page.
Result<Done> check_references(const Lesson& lesson, JsonReader& reader, JsonReader* quiz_reader);

}  // namespace warpbook
