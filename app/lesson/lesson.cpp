// Looking things up in a lesson, and the values of a lab's controls.
#include "lesson/lesson.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpbook {

namespace {

template <class T>
const T* named(const std::vector<T>& things, const std::string& name) {
  const auto found =
      std::find_if(things.begin(), things.end(), [&](const T& thing) { return thing.name == name; });
  return found == things.end() ? nullptr : &*found;
}

/// Sets PREFIX.x .y .z: what a control gave stays, else the expression, else 1.
Result<Done> complete_shape(const std::string& prefix, const std::vector<std::string>& expressions,
                            const Lab& lab, Values& values) {
  for (size_t axis = 0; axis < 3; ++axis) {
    const std::string name = prefix + "xyz"[axis];
    if (named(lab.controls, name)) continue;
    int64_t dimension = 1;
    if (axis < expressions.size() && !expressions[axis].empty()) {
      const auto value = evaluate(expressions[axis], values);
      if (!value) return value.error();
      dimension = *value;
    }
    values[name] = dimension;
  }
  return Done{};
}

}  // namespace

const Lab* Lesson::lab(const std::string& wanted) const { return named(labs, wanted); }
const Exercise* Lesson::exercise(const std::string& wanted) const { return named(exercises, wanted); }

const Lesson* Library::lesson(const std::string& slug) const {
  for (const Lesson& candidate : lessons) {
    if (candidate.slug == slug) return &candidate;
  }
  return nullptr;
}

Result<Values> complete_values(const Lab& lab, Values controls) {
  for (const Control& control : lab.controls) controls.emplace(control.name, control.value);
  if (const auto done = complete_shape("block.", lab.block, lab, controls); !done) return done.error();
  if (const auto done = complete_shape("grid.", lab.grid, lab, controls); !done) return done.error();
  return controls;
}

Result<Values> default_values(const Lab& lab) { return complete_values(lab, {}); }

}  // namespace warpbook
