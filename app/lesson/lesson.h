#pragma once
// A lesson as data: lessons/<slug>/lesson.{md,json}, kernels/<slug>/, quizzes/<slug>.json, all found by slug.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/result.h"
#include "lesson/document.h"
#include "lesson/expression.h"
#include "lesson/localized.h"
#include "lesson/quiz.h"

namespace warpbook {

struct Control {
  std::string name;  ///< "n", "grid.x", "block.x", or a define such as "T" (see `define`)
  LocalText label;
  LocalText help;
  int64_t min = 0, max = 0, value = 0, step = 1;
  std::vector<int64_t> choices;  ///< when not empty: only these
  std::vector<LocalText> choice_labels;
  std::string scale;    ///< "" linear, "log2"
  bool define = false;  ///< passed as -DNAME=value; changes the code
  double scale_by = 1;  ///< a float argument {name} is value * scale_by
  std::string unit;
};

struct ViewSpec {
  std::string type;  ///< "thread-map", "image", "numbers": a slug of view's table
  LocalText title;
  std::vector<std::pair<std::string, std::string>> options;  ///< the rest of the object, values as JSON text
};

struct Lab {
  std::string name;
  LocalText title;
  bool program = false;           ///< the files are whole programs with main, and args are their arguments
  std::string kernel;             ///< file in kernels/<slug>/, "write_index.cu"
  std::string entry;              ///< kernel's name; empty = the file's name without .cu, or its only kernel
  std::vector<std::string> args;  ///< SPECs with {expressions}
  std::vector<std::string> grid, block;  ///< expressions for dimensions that no control sets; empty = 1
  std::string shared;                    ///< expression, dynamic shared bytes; empty = 0
  std::vector<Control> controls;         ///< in file order
  std::vector<ViewSpec> views;
  std::vector<std::pair<std::string, std::string>> variants;  ///< label, file: kernels to switch between
};

struct Check {
  /// "results", "no-diagnoses", "schedules", "counter"; of programs "output", "calls", "sizes", "survives"
  std::string check;
  std::vector<std::string> buffers;
  double abs = 0, rel = 0;
  double differing_share = 0;                           ///< results: this share of elements may differ
  int count = 0;                                        ///< schedules
  std::string name;                                     ///< counter; survives: the failure, "cudaMalloc:1:2"
  std::vector<std::string> order;                       ///< calls: "cudaMemcpy host to device", "launch add"
  std::optional<double> at_most, at_least;              ///< counter
  std::string at_most_expression, at_least_expression;  ///< counter bounds that depend on sizes
};

struct Exercise {
  std::string name;  ///< "cover-all"; folder kernels/<slug>/<name>/
  LocalText title;
  bool program =
      false;  ///< the files are whole programs; of what follows only task, checks and hints are there
  std::vector<std::vector<std::string>> runs;  ///< a program's arguments, once for each run; at least one run
  std::string kernel;                          ///< kernel's name in the .cu files
  LocalText task;                              ///< markdown
  std::string signature;
  std::vector<std::string> grid;             ///< expressions, 1..3
  std::vector<std::vector<int64_t>> blocks;  ///< each tried: {128} or {32, 8}
  std::string shared;
  std::vector<std::string> args;
  std::vector<std::pair<std::string, std::vector<int64_t>>> sizes;  ///< same length each: taken together
  std::vector<std::pair<std::string, int64_t>> defines;
  std::vector<Check> checks;
  std::vector<LocalText> hints;
  /// Literal expectations that keep solution.cu honest: values of sizes, buffer, first elements.
  struct Expect {
    std::vector<std::pair<std::string, int64_t>> sizes;
    std::string buffer;
    std::vector<double> values;
  };
  std::vector<Expect> expect;
};

struct Lesson {
  std::string slug;
  LocalText title, summary;
  std::vector<std::string> needs;
  int minutes = 0;
  std::vector<std::string> sources;
  std::vector<Lab> labs;
  std::vector<Exercise> exercises;
  std::map<std::string, Document> pages;  ///< by locale
  Quiz quiz;
  Path folder, kernels;  ///< lessons/<slug>, kernels/<slug>

  const Lab* lab(const std::string& name) const;
  const Exercise* exercise(const std::string& name) const;
};

/// One root holds lessons/, kernels/ and quizzes/.
struct Library {
  std::vector<Lesson> lessons;  ///< sorted by slug
  std::vector<Error> broken;    ///< lessons that did not load, each with file, line, pointer
  const Lesson* lesson(const std::string& slug) const;
};

/// Loads every slug below each root, later roots adding to the first. A broken lesson costs only itself.
Library load_library(const std::vector<Path>& roots);
Result<Lesson> load_lesson(const Path& root, const std::string& slug);

/// Values of a lab's controls at their defaults, block and grid dimensions that nothing sets included (as 1).
Result<Values> default_values(const Lab& lab);
/// Completes grid and block expressions for given control values.
Result<Values> complete_values(const Lab& lab, Values controls);

}  // namespace warpbook
