// The workbook's files: the learner's answers (which an editor outside may change too), progress and
// settings.
#include <fmt/format.h>

#include "base/text.h"
#include "ui/workbook.h"

namespace warpbook::ui {

namespace {

constexpr double autosave_seconds = 1.0;
constexpr uint64_t largest_answer = 1u << 20;  // bytes; more is no answer to an exercise

std::filesystem::file_time_type time_of(const Path& file) {
  std::error_code failed;
  const auto time = std::filesystem::last_write_time(file, failed);
  return failed ? std::filesystem::file_time_type{} : time;
}

// Text that a field can hold: valid UTF-8 without NUL, lines ended by '\n'.
Result<std::string> read_code(const Path& file) {
  Result<std::string> text = read_file(file, largest_answer);
  if (!text) return text;
  if (text->find('\0') != std::string::npos || first_invalid_utf8(*text) != std::string::npos) {
    return Error{"this is no UTF-8 text", Trouble::bad_input, {file.string(), 0, 0}, "save it as UTF-8"};
  }
  return replace_all(*text, "\r\n", "\n");
}

}  // namespace

ExerciseState& exercise_state(Workbook& book, const Lesson& lesson, const Exercise& exercise) {
  ExerciseState& state = book.lessons[lesson.slug].exercises[exercise.name];
  if (state.loaded) return state;
  state.loaded = true;
  const Path folder = lesson.kernels / exercise.name;
  const auto text_or_reason = [](const Result<std::string>& text) {
    return text ? *text : "// " + to_string(text.error()) + "\n";
  };
  state.starter.set(text_or_reason(read_code(folder / "exercise.cu")));
  state.solution.set(text_or_reason(read_code(folder / "solution.cu")));
  state.file = book.session->folders.data / "exercises" / lesson.slug / (exercise.name + ".cu");
  state.mine.set(state.starter.text);
  std::error_code failed;
  if (!book.keep_nothing && std::filesystem::exists(state.file, failed)) {
    Result<std::string> mine = read_code(state.file);
    if (mine) {
      state.mine.set(*mine);
      state.file_time = time_of(state.file);
    } else {
      // The file is left alone until the learner writes something.
      state.save_problem = to_string(mine.error());
    }
  }
  return state;
}

void save_exercise(Workbook& book, ExerciseState& state) {
  if (!state.unsaved || book.keep_nothing || state.changed_outside) return;
  const Result<Done> saved = write_file(state.file, state.mine.text);
  state.save_problem = saved ? "" : to_string(saved.error());
  if (saved) {
    state.unsaved = false;
    state.file_time = time_of(state.file);
  } else {
    state.edited_at = book.now + 5;  // tries again, but not every frame
  }
}

void reload_exercise(ExerciseState& state) {
  Result<std::string> mine = read_code(state.file);
  if (mine) {
    if (*mine != state.mine.text) state.mine.set(*mine);
    state.unsaved = state.changed_outside = false;
    state.save_problem.clear();
  } else {
    state.save_problem = to_string(mine.error());
  }
  state.file_time = time_of(state.file);
}

void open_lab_code(Workbook& book, const Lesson& lesson, const Lab& lab) {
  LabState& state = lab_state(book, lesson, lab);
  const std::string file = kernel_file(lab, state.variant);
  if (state.code_file == file) return;
  const Result<std::string> code = read_code(lesson.kernels / file);
  state.code.set(code ? *code : "// " + to_string(code.error()));
  state.code_file = file;
  state.code_changed = false;
  // Two labs may use one file, and each has its own experiment.
  state.experiment_file = book.session->folders.data / "experiments" / lesson.slug / lab.name / file;
  std::error_code failed;
  state.experiment_kept = !book.keep_nothing && std::filesystem::exists(state.experiment_file, failed);
}

namespace {

void save_experiment(Workbook& book, LabState& state) {
  if (!state.experiment_unsaved || book.keep_nothing) return;
  const Result<Done> saved = write_file(state.experiment_file, state.code.text);
  if (!saved) say(book, "Your experiment is not saved: " + to_string(saved.error()));
  state.experiment_kept = state.experiment_kept || saved.ok();
  state.experiment_unsaved = !saved;
  if (!saved) state.experimented_at = book.now + 5;
}

}  // namespace

void leave_experiment(Workbook& book, LabState& state) {
  save_experiment(book, state);
  state.code_file.clear();
  state.code_changed = state.experiment_unsaved = false;
}

bool bring_experiment_back(Workbook& book, LabState& state) {
  const Result<std::string> code = read_code(state.experiment_file);
  if (!code) {
    say(book, "Your experiment could not be read: " + to_string(code.error()));
    return false;
  }
  state.code.set(*code);
  state.code_changed = true;
  return true;
}

void keep_files(Workbook& book, bool now_at_once) {
  for (auto& [slug, lesson] : book.lessons) {
    for (auto& [name, state] : lesson.labs)
      if (now_at_once || book.now - state.experimented_at > autosave_seconds) save_experiment(book, state);
    for (auto& [name, state] : lesson.exercises) {
      if (!state.loaded || book.keep_nothing) continue;
      const auto time = time_of(state.file);
      if (time != std::filesystem::file_time_type{} && time != state.file_time) {
        state.file_time = time;
        if (state.unsaved) {
          state.changed_outside = true;
        } else {
          reload_exercise(state);
        }
      }
      if (state.unsaved && (now_at_once || book.now - state.edited_at > autosave_seconds))
        save_exercise(book, state);
    }
  }
  if (book.keep_nothing) return;
  const bool due = now_at_once || book.now - book.changed_at > autosave_seconds;
  if (book.progress_changed && due) {
    const Result<Done> saved = save_progress(book.progress_file, book.progress);
    if (!saved) say(book, "Progress is not saved: " + to_string(saved.error()));
    book.progress_changed = !saved && !now_at_once;
    if (!saved) book.changed_at = book.now + 5;
  }
  if (book.settings_changed && due) {
    const Result<Done> saved = save_settings(book.settings_file, book.settings);
    if (!saved) say(book, "Settings are not saved: " + to_string(saved.error()));
    book.settings_changed = false;
  }
}

std::string all_text(const Workbook& book) {
  std::string text;
  const auto add = [&text](const LocalText& local) {
    for (const auto& [locale, words] : local.by_locale) text += words + "\n";
  };
  for (const Lesson& lesson : book.library->lessons) {
    add(lesson.title);
    add(lesson.summary);
    for (const auto& [locale, page] : lesson.pages) {
      text += plain_text(page);
      for (const Block& block : page.blocks) text += block.text + "\n";
    }
    for (const Lab& lab : lesson.labs) {
      add(lab.title);
      for (const Control& control : lab.controls) {
        add(control.label);
        add(control.help);
        text += control.unit;
        for (const LocalText& label : control.choice_labels) add(label);
      }
      for (const ViewSpec& view : lab.views) {
        add(view.title);
        for (const auto& [key, value] : view.options) text += value;
      }
      for (const auto& [label, file] : lab.variants) text += label;
    }
    for (const Exercise& exercise : lesson.exercises) {
      add(exercise.title);
      add(exercise.task);
      for (const LocalText& hint : exercise.hints) add(hint);
    }
    for (const Question& question : lesson.quiz.questions) {
      add(question.text);
      add(question.unit);
      add(question.because);
      for (const Choice& choice : question.choices) {
        add(choice.text);
        add(choice.because);
      }
      for (const Miss& miss : question.misses) add(miss.because);
    }
    for (const std::string& name : list_folder(lesson.kernels)) {
      if (Path(name).extension() != ".cu") continue;
      if (const Result<std::string> code = read_file(lesson.kernels / name, 1u << 20)) text += *code;
    }
    for (const Exercise& exercise : lesson.exercises) {
      for (const char* file : {"exercise.cu", "solution.cu"}) {
        if (const Result<std::string> code = read_file(lesson.kernels / exercise.name / file, 1u << 20))
          text += *code;
      }
    }
  }
  for (const ReferencePage& page : book.pages) {
    text += plain_text(page.document);
    for (const Block& block : page.document.blocks) text += block.text;
  }
  return text;
}

}  // namespace warpbook::ui
