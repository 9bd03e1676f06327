#pragma once
// What a learner has done: one plain versioned JSON file, written by rename; unknown entries are kept.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/result.h"

namespace warpbook {

struct QuestionProgress {
  int attempts = 0;
  bool right = false;
  bool first_try = false;  ///< right at the first attempt: what counts
  bool sure = false;       ///< confidence at the first attempt
  bool revealed = false;
  bool reviewed = false;  ///< answered right when it came back, after "sure" and wrong
};
struct ExerciseProgress {
  bool passed = false;
  int hints_shown = 0;
  bool solution_shown = false;
  std::string content_hash;  ///< of the exercise when it was passed
};
struct LessonProgress {
  bool opened = false;
  float scroll = 0;
  std::map<std::string, QuestionProgress> questions;
  std::map<std::string, ExerciseProgress> exercises;
  std::map<std::string, std::string> predictions;
};

struct Progress {
  int version = 1;
  std::string last_lesson;
  std::map<std::string, LessonProgress> lessons;
  std::string unknown;  ///< JSON of what this version does not know, written back as it was
};

/// A missing file is an empty progress. A broken one is an error; the caller sets it aside (see set_aside).
Result<Progress> load_progress(const Path& file);
Result<Done> save_progress(const Path& file, const Progress& progress);
/// Renames a broken file to NAME.broken-N so that nothing is lost; returns the new name.
Result<Path> set_aside(const Path& file);

struct Settings {
  int version = 1;
  std::string theme = "system";  ///< light, dark, system
  float scale = 0;               ///< 0 = the display's own
  float font_step = 0;           ///< Ctrl+Plus and Minus
  std::string gpu = "A100 40 GB";
  std::string device = "auto";  ///< auto, emulated, cuda, or cuda:GPU
  std::string locale = "en";
  bool motion = true;
  float page_width = 0, lab_width = 0;  ///< dp, 0 = default
  bool contents_folded = false;
  std::string export_folder;  ///< for pictures and tables; empty = beside the learner's files
  int window_width = 1440, window_height = 900;
  std::string unknown;
};
Result<Settings> load_settings(const Path& file);
Result<Done> save_settings(const Path& file, const Settings& settings);

}  // namespace warpbook
