// The workbook's runs: controls to requests, results to what panels show.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "ui/panels.h"
#include "ui/words.h"
#include "ui/workbook.h"
#include "view/picture.h"

namespace warpbook::ui {

namespace {

// A control that is dragged changes many times a second; this long it must rest.
constexpr double control_rest_seconds = 0.02;

std::string short_count(uint64_t count) {
  if (count < 10000) return fmt::format("{}", count);
  if (count < 1000000) return fmt::format("{:.0f} k", double(count) / 1e3);
  if (count < 1000000000) return fmt::format("{:.1f} M", double(count) / 1e6);
  return fmt::format("{:.1f} G", double(count) / 1e9);
}

std::map<int, GutterNote> gutter_of(const RunResult& result) {
  std::map<int, GutterNote> notes;
  uint64_t busiest = 1;
  for (const LineCounters& line : result.lines) {
    if (line.file == result.file || line.file.empty()) busiest = std::max(busiest, line.warp_instructions);
  }
  for (const LineCounters& line : result.lines) {
    if (line.line <= 0 || line.warp_instructions == 0 || !(line.file == result.file || line.file.empty()))
      continue;
    GutterNote note;
    const double lanes = double(line.thread_instructions) / (32.0 * double(line.warp_instructions));
    note.text = short_count(line.warp_instructions);
    note.second = fmt::format("{:.0f} %", 100 * lanes);
    note.heat = float(line.warp_instructions) / float(busiest);
    note.hover = fmt::format("{} warp instructions, {:.1f} of 32 lanes on",
                             with_thousands(line.warp_instructions), 32 * lanes);
    if (line.global.requests > 0) {
      note.hover += fmt::format("\nglobal memory: {:.1f} sectors a request ({} requests)",
                                double(line.global.sectors) / double(line.global.requests),
                                with_thousands(line.global.requests));
    }
    if (line.shared.requests > 0) {
      note.hover += fmt::format("\nshared memory: {:.1f} bank passes a request",
                                double(line.shared.bank_passes) / double(line.shared.requests));
    }
    if (line.branches > 0) {
      note.hover += fmt::format("\n{} of {} branches split their warp",
                                with_thousands(line.divergent_branches), with_thousands(line.branches));
    }
    notes[line.line] = note;
  }
  return notes;
}

void take_run(Workbook& book, const Lesson& lesson, const Lab& lab, Finished& finished) {
  LabState& state = lab_state(book, lesson, lab);
  const bool newest = finished.ticket == state.ticket;
  if (newest) {
    state.stale = false;
    state.live = nullptr;
  }
  if (!*finished.run) {
    if (newest || finished.run->error().trouble != Trouble::cancelled) state.error = finished.run->error();
    return;
  }
  state.error.reset();
  state.launches = finished.launches;
  RunResult& result = **finished.run;
  state.difference.clear();
  state.looks_back = false;
  if (state.result) {
    // Views key what they keep on the generation: that of a run looked back at is its own.
    state.before = std::make_shared<const ShownRun>(shown_run(state));
  }
  if (state.result && state.result->counters && result.counters) {
    state.previous = state.result;
    state.previous_models = state.models;
    state.difference = difference_in_words(*state.previous->counters, *result.counters);
  }
  const std::string code = state.variant + "/" + std::to_string(state.code.version);
  if (!state.first_times || state.first_times_of != code) {
    state.first_times = result.times;
    state.first_times_of = code;
  }
  state.marks = marks_of(result.diagnostics);
  state.gutter = gutter_of(result);
  state.ran_seconds = finished.seconds;
  const Result<Values> values = complete_values(lab, finished.controls);
  state.result_values = values ? *values : finished.controls;
  if (!finished.source) {
    const Result<std::string> text = read_file(lesson.kernels / kernel_file(lab, finished.variant), 1u << 20);
    finished.source = text ? *text : "// " + to_string(text.error());
  }
  state.result_source = std::make_shared<const std::string>(std::move(*finished.source));
  state.result_controls = finished.controls;
  state.result_variant = finished.variant;
  if (state.moment) {
    close_moment(book, state.moment);
    if (size_t(state.tab) >= lab.views.size()) --state.tab;  // the editor, or the last view
  }
  unpin(book);
  ++state.generation;
  state.result = std::make_shared<const RunResult>(std::move(result));
  state.models = finished.models ? std::make_shared<const RunModels>(std::move(*finished.models)) : nullptr;
  state.models_asked.clear();
}

void take_sweep(Workbook& book, const Lesson& lesson, const Lab& lab, Finished& finished) {
  LabState& state = lab_state(book, lesson, lab);
  if (finished.ticket != state.sweep_ticket) return;
  state.sweeping = false;
  if (!*finished.sweep) {
    if (finished.sweep->error().trouble != Trouble::cancelled) state.error = finished.sweep->error();
    return;
  }
  if (state.sweep) state.sweep_before = state.sweep;
  state.sweep = std::make_shared<const SweepResult>(std::move(**finished.sweep));
}

void take_models(Workbook& book, const Lesson& lesson, const Lab& lab, Finished& finished) {
  LabState& state = lab_state(book, lesson, lab);
  state.models_asked.clear();
  if (state.result != finished.made) return;  // a newer run brought its own
  state.models = std::make_shared<const RunModels>(std::move(*finished.models));
  ++state.generation;
}

void take_check(Workbook& book, const Lesson& lesson, const Exercise& exercise, Finished& finished) {
  ExerciseState& state = exercise_state(book, lesson, exercise);
  state.checking = false;
  if (!*finished.check) {
    state.error = finished.check->error();
    return;
  }
  state.error.reset();
  if (state.moment) close_moment(book, state.moment);
  if (state.tab == moment_tab) state.tab = 1;
  state.report = std::move(**finished.check);
  state.versions = std::move(finished.versions);
  state.marks.clear();
  for (const CheckRow& row : state.report->rows) {
    for (const CodeMark& mark : marks_of(row.diagnostics)) state.marks.push_back(mark);
  }
  if (state.report->passed) {
    ExerciseProgress& progress = book.progress.lessons[lesson.slug].exercises[exercise.name];
    progress.passed = true;
    note_progress(book);
  }
}

}  // namespace

const std::string& kernel_file(const Lab& lab, const std::string& variant) {
  for (const auto& [label, file] : lab.variants) {
    if (label == variant) return file;
  }
  return lab.kernel;
}

void set_control(Workbook& book, const Lesson& lesson, const Lab& lab, const std::string& control,
                 int64_t value) {
  LabState& state = lab_state(book, lesson, lab);
  const auto found = state.controls.find(control);
  if (found != state.controls.end() && found->second == value) return;
  state.controls[control] = value;
  request_run(book, lesson, lab, control_rest_seconds);
}

namespace {

/// The lab as it is set.
LabJob lab_job(Workbook& book, const Lesson& lesson, const Lab& lab) {
  const LabState& state = lab_state(book, lesson, lab);
  LabJob job;
  job.key = lesson.slug + "/" + lab.name;
  job.library = book.library;
  job.lesson = lesson.slug;
  job.lab = lab.name;
  job.variant = state.variant;
  job.gpu = book.gpu.name;
  job.controls = state.controls;
  job.order = state.order;
  if (state.code_changed) job.source = state.code.text;
  job.opened = state.opened;
  return job;
}

}  // namespace

void request_run(Workbook& book, const Lesson& lesson, const Lab& lab, double delay) {
  LabState& state = lab_state(book, lesson, lab);
  if (!book.runner || !book.compiler_missing.empty()) return;
  LabJob job = lab_job(book, lesson, lab);
  for (const ViewSpec& spec : lab.views) {
    if (const view::Visualiser* visualiser = view::visualiser(spec.type)) {
      job.write_maps = job.write_maps || visualiser->needs_write_maps;
      job.per_warp = job.per_warp || visualiser->needs_per_warp;
      job.recording = job.recording || visualiser->needs_recording;
      job.block_recording = job.block_recording || visualiser->needs_block_recording;
    }
  }
  if (book.session && book.session->gpu_device && !job.source)
    job.live = std::any_of(lab.views.begin(), lab.views.end(), follows_live);
  state.other_engine = false;
  state.stale = state.result != nullptr;
  state.asked_at = steady_seconds();
  state.answer_seconds = 0;
  state.ticket = book.runner->submit(std::move(job), delay);
}

bool follows_live(const ViewSpec& spec) { return spec.type == "image" || spec.type == "matrix-diff"; }

bool shows_pixels(const ViewSpec& spec, const Values& values) {
  if (spec.type != "heat-map") return follows_live(spec);
  view::ViewInput sizes;
  for (const auto& [key, value] : spec.options) sizes.options.emplace_back(key, filled(value, values));
  return view::option_number(sizes, "rows", 0) * view::option_number(sizes, "columns", 0) > view::most_boxes;
}

void look_for_gpus(Workbook& book) {
  if (!std::exchange(book.looked_for_gpus, true)) book.gpus_here = find_gpus(book.no_gpus_here);
}

void take_engine(Workbook& book, const std::string& device) {
  if (!book.session) return;
  const Result<Done> chosen = choose_engine(*book.session, device);
  if (!chosen) {
    say(book, to_string(chosen.error()));
    static_cast<void>(choose_engine(*book.session, "auto"));  // which does without a GPU
  }
  book.engine = engine_name(*book.session);
}

void change_engine(Workbook& book, const std::string& device) {
  if (!book.session) return;
  book.gpu_pictures.close();
  const Result<Done> chosen = choose_engine(*book.session, device);
  if (!chosen) {
    say(book, to_string(chosen.error()));
    return;
  }
  book.engine = engine_name(*book.session);
  book.settings.device = device;
  if (!book.settings_changed) book.changed_at = book.now;
  book.settings_changed = true;
  for (auto& [slug, lesson] : book.lessons)
    for (auto& [name, lab] : lesson.labs) lab.other_engine = lab.ticket != 0;
}

void request_models(Workbook& book, const Lesson& lesson, const Lab& lab) {
  LabState& state = lab_state(book, lesson, lab);
  if (!book.runner || !state.result || !state.models || state.stale || state.models->gpu == book.gpu.name ||
      state.models_asked == book.gpu.name || book.runner->status().busy)
    return;
  LabJob job = lab_job(book, lesson, lab);
  job.controls.clear();
  job.source.reset();
  for (const Control& control : lab.controls)
    if (const auto found = state.result_values.find(control.name); found != state.result_values.end())
      job.controls.insert(*found);
  if (state.code_changed && state.result_source) job.source = *state.result_source;
  job.made = state.result;
  job.made_models = state.models;
  state.models_asked = book.gpu.name;
  book.runner->submit(std::move(job));
}

std::vector<int64_t> swept_values(const Control& control) {
  constexpr size_t most = 12;
  std::vector<int64_t> values = control.choices;
  if (!values.empty()) return values;
  const int64_t step = std::max<int64_t>(1, control.step);
  if (control.scale == "log2") {
    for (int64_t value = std::max<int64_t>(1, control.min); value <= control.max; value *= 2)
      values.push_back(value);
  } else {
    // Even steps that are multiples of the control's own; the ends are always there.
    const int64_t steps = (control.max - control.min) / step;
    const int64_t count = std::min<int64_t>(steps, int64_t(most) - 1);
    for (int64_t i = 0; i <= count; ++i)
      values.push_back(control.min + (count ? steps * i / count : 0) * step);
  }
  if (values.empty() || values.back() != control.max) values.push_back(control.max);
  return values;
}

void request_sweep(Workbook& book, const Lesson& lesson, const Lab& lab, const Control& control) {
  LabState& state = lab_state(book, lesson, lab);
  if (!book.runner || !book.compiler_missing.empty()) return;
  SweepJob job;
  job.lab = lab_job(book, lesson, lab);
  job.control = control.name;
  job.values = swept_values(control);
  if (state.swept != control.name) {
    state.sweep = nullptr;
    state.sweep_before = nullptr;
  }
  state.swept = control.name;
  state.sweeping = true;
  state.sweep_ticket = book.runner->submit(std::move(job));
}

void request_check(Workbook& book, const Lesson& lesson, const Exercise& exercise) {
  if (!book.runner || !book.compiler_missing.empty()) return;
  ExerciseState& state = exercise_state(book, lesson, exercise);
  save_exercise(book, state);
  CheckJob job;
  job.key = lesson.slug + "/" + exercise.name;
  job.library = book.library;
  job.lesson = lesson.slug;
  job.exercise = exercise.name;
  job.source = state.mine.text;
  job.file = state.file.filename().string();
  job.gpu = book.gpu.name;
  state.checking = true;
  state.error.reset();
  state.report_version = state.mine.version;
  state.ticket = book.runner->submit(std::move(job));
}

void apply_show(Workbook& book, const Lesson& lesson, const ShowMe& show, const Values& values) {
  const Lab* lab = lesson.lab(show.lab);
  if (!lab) return;
  LabState& state = lab_state(book, lesson, *lab);
  for (const auto& [control, expression] : show.set) {
    const Result<int64_t> value = evaluate(expression, values);
    if (value) state.controls[control] = *value;
  }
  state.order = show.schedule == "reverse"    ? Order::reverse
                : show.schedule == "shuffled" ? Order::shuffled
                                              : Order::forward;
  if (!show.variant.empty() && show.variant != state.variant) {
    leave_experiment(book, state);
    state.variant = show.variant;
  }
  LessonState& lesson_state = book.lessons[lesson.slug];
  lesson_state.bench = lab->name;
  lesson_state.bench_is_exercise = false;
  book.page_tab_is_lab = true;
  if (book.lesson() != &lesson) go_to(book, {Place::Kind::lesson, lesson.slug, {}, -1});  // from the review
  request_run(book, lesson, *lab);
}

void take_results(Workbook& book) {
  if (book.launch_wanted) renew_opened_labs(book);
  if (!book.runner) return;
  for (Finished& finished : book.runner->take()) {
    const size_t slash = finished.key.rfind('/');
    const Lesson* lesson = book.library->lesson(finished.key.substr(0, slash));
    const std::string name = finished.key.substr(slash + 1);
    if (!lesson) continue;
    if (const Lab* lab = lesson->lab(name); lab && finished.live) {
      LabState& state = lab_state(book, *lesson, *lab);
      state.live = std::move(finished.live);
      state.looks_back = false;
    } else if (lab && finished.run) {
      take_run(book, *lesson, *lab, finished);
    } else if (lab && finished.models) {
      take_models(book, *lesson, *lab, finished);
    } else if (lab && finished.sweep) {
      take_sweep(book, *lesson, *lab, finished);
    }
    if (const Exercise* exercise = lesson->exercise(name); exercise && finished.check) {
      take_check(book, *lesson, *exercise, finished);
    }
    if (!finished.replay) continue;
    if (const Lab* lab = lesson->lab(name))
      take_replay(book, lab_state(book, *lesson, *lab).moment, finished.ticket, std::move(*finished.replay));
    else if (const Exercise* exercise = lesson->exercise(name))
      take_replay(book, exercise_state(book, *lesson, *exercise).moment, finished.ticket,
                  std::move(*finished.replay));
  }
  // What was cancelled before it began never finishes.
  if (!book.runner->status().busy) {
    for (auto& [slug, lesson] : book.lessons) {
      for (auto& [name, state] : lesson.labs) {
        state.stale = false;
        state.live = nullptr;
        state.models_asked.clear();
        state.sweeping = false;
      }
      for (auto& [name, state] : lesson.exercises) state.checking = false;
    }
  }
}

}  // namespace warpbook::ui
