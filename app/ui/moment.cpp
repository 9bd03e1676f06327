#include "ui/moment.h"

#include <fmt/format.h>

#include <algorithm>

#include "lab/schedules.h"
#include "ui/words.h"
#include "ui/workbook.h"

namespace warpbook::ui {

namespace {

int64_t number_of(const Dim3& block, const Dim3& thread, const Launch& launch) {
  const auto in = [](const Dim3& at, const Dim3& size) {
    return int64_t(at.x) + int64_t(size.x) * (at.y + int64_t(size.y) * at.z);
  };
  return in(block, launch.grid) * int64_t(launch.block.count()) + in(thread, launch.block);
}

ReplayJob job_for(const Workbook& book, const Lesson& lesson, const std::string& name) {
  ReplayJob job;
  job.key = lesson.slug + "/" + name;
  job.library = book.library;
  job.lesson = lesson.slug;
  job.gpu = book.gpu.name;
  return job;
}

void begin(Workbook& book, std::optional<MomentState>& moment, ReplayJob job, std::string source) {
  const uint64_t generation = moment ? moment->generation : 0;
  moment.emplace();
  moment->generation = generation;
  moment->diagnosis = job.diagnosis;
  moment->source = std::make_shared<const std::string>(std::move(source));
  moment->ticket = book.runner->submit(std::move(job));
}

void begin_exercise(Workbook& book, const Lesson& lesson, const Exercise& exercise, ReplayJob job) {
  ExerciseState& state = exercise_state(book, lesson, exercise);
  job.exercise = exercise.name;
  job.source = state.report->source;
  job.file = state.file.filename().string();
  std::string source = job.source;
  begin(book, state.moment, std::move(job), std::move(source));
  state.tab = moment_tab;
}

}  // namespace

bool has_moment(const Diagnosis& diagnosis) {
  return diagnosis.severity != Severity::note && diagnosis.kind != "compile-error" &&
         diagnosis.kind != "bad-argument" && diagnosis.kind != "arg-type-mismatch" &&
         diagnosis.access != "launch" && (diagnosis.block || diagnosis.thread);
}

void open_moment(Workbook& book, const Lesson& lesson, const Lab& lab, const Diagnosis& diagnosis) {
  LabState& state = lab_state(book, lesson, lab);
  if (!book.runner || !state.result || !state.result_source || !has_moment(diagnosis)) return;
  pin(book, diagnosis, state.result->launch);
  // A newer run is on its way: what it finds is looked at, not this.
  if (state.stale) return;
  Result<RunRequest> request = request_for(lesson, lab, state.result_controls, state.result_variant);
  if (!request) {
    say(book, to_string(request.error()));
    return;
  }
  request->source = *state.result_source;
  request->order = state.order;
  ReplayJob job = job_for(book, lesson, lab.name);
  job.request = std::move(*request);
  job.opened = state.opened;
  job.diagnosis = diagnosis;
  begin(book, state.moment, std::move(job), *state.result_source);
  state.tab = int(lab.views.size());
}

void open_moment(Workbook& book, const Lesson& lesson, const Exercise& exercise, const Diagnosis& diagnosis) {
  if (!book.runner || !exercise_state(book, lesson, exercise).report || !has_moment(diagnosis)) return;
  ReplayJob job = job_for(book, lesson, exercise.name);
  job.diagnosis = diagnosis;
  begin_exercise(book, lesson, exercise, std::move(job));
}

void open_order(Workbook& book, const Lesson& lesson, const Exercise& exercise, const TriedOrder& order) {
  if (!book.runner || !exercise_state(book, lesson, exercise).report) return;
  ReplayJob job = job_for(book, lesson, exercise.name);
  job.order = order;
  begin_exercise(book, lesson, exercise, std::move(job));
}

void close_moment(Workbook& book, std::optional<MomentState>& moment) {
  moment.reset();
  unpin(book);
}

namespace {

struct ShownBench {
  LabState* lab = nullptr;
  ExerciseState* exercise = nullptr;
  size_t views = 0;
};

ShownBench shown_bench(Workbook& book) {
  ShownBench shown;
  const Lesson* lesson = book.lesson();
  if (!lesson) return shown;
  const LessonState& state = book.lesson_state();
  if (state.bench_is_exercise) {
    if (const Exercise* exercise = lesson->exercise(state.bench))
      shown.exercise = &exercise_state(book, *lesson, *exercise);
  } else if (const Lab* lab = lesson->lab(state.bench)) {
    shown.lab = &lab_state(book, *lesson, *lab);
    shown.views = lab->views.size();
  }
  return shown;
}

}  // namespace

void close_shown_moment(Workbook& book) {
  const ShownBench shown = shown_bench(book);
  if (shown.lab && shown.lab->moment) {
    close_moment(book, shown.lab->moment);
    if (size_t(shown.lab->tab) >= shown.views) shown.lab->tab = 0;
  } else if (shown.exercise && shown.exercise->moment) {
    close_moment(book, shown.exercise->moment);
    if (shown.exercise->tab == moment_tab) shown.exercise->tab = 1;
  } else {
    unpin(book);
  }
}

void step_shown_view(Workbook& book, int by) {
  const ShownBench shown = shown_bench(book);
  view::ViewState* view = nullptr;
  if (shown.lab && size_t(shown.lab->tab) < shown.lab->views.size())
    view = &shown.lab->views[size_t(shown.lab->tab)];
  else if (shown.lab && shown.lab->moment && size_t(shown.lab->tab) == shown.views)
    view = &shown.lab->moment->view;
  else if (shown.exercise && shown.exercise->moment && shown.exercise->tab == moment_tab)
    view = &shown.exercise->moment->view;
  if (!view) return;
  const auto step = view->numbers.find("step");
  if (step != view->numbers.end()) step->second = std::max(0.0, step->second + by);
}

bool take_replay(Workbook& book, std::optional<MomentState>& moment, uint64_t ticket, Result<Replay> replay) {
  if (!moment || moment->ticket != ticket) return false;
  if (!replay) {
    moment->error = replay.error();
    return true;
  }
  const Replay& found = *replay;
  const Dim3& at = found.recording.block;
  moment->title = fmt::format("Block ({}, {}, {}), {}", at.x, at.y, at.z, found.order);
  if (!found.with.empty()) moment->title += "; " + found.with;
  if (!found.recording.complete) moment->title += "; the recording was cut, the run went on";
  if (found.diagnosis) pin(book, *found.diagnosis, found.launch);
  ++moment->generation;
  moment->view = {};
  moment->replay = std::make_shared<const Replay>(std::move(*replay));
  return true;
}

view::ViewInput moment_input(const MomentState& moment) {
  const Replay& replay = *moment.replay;
  view::ViewInput input;
  input.launch = replay.launch;
  input.block_recording = &replay.recording;
  input.opened = replay.diagnosis ? &*replay.diagnosis : nullptr;
  input.source = moment.source.get();
  input.generation = moment.generation;
  return input;
}

void pin(Workbook& book, const Diagnosis& diagnosis, const Launch& launch) {
  view::Selection selection;
  if (diagnosis.thread)
    selection.thread = number_of(diagnosis.block.value_or(Dim3{0, 0, 0}), *diagnosis.thread, launch);
  if (diagnosis.index && !diagnosis.buffer.empty()) selection.element = {diagnosis.buffer, *diagnosis.index};
  if (!selection.thread && !selection.element) return;
  selection.line = diagnosis.line;
  selection.owner = &book.pinned;
  book.pinned = selection;
  book.selection = selection;
}

void unpin(Workbook& book) {
  book.pinned.reset();
  if (book.selection.owner == &book.pinned) book.selection = {};
}

void apply_pin(Workbook& book) {
  view::Selection& now = book.selection;
  if (!book.pinned || now.thread || now.element) return;
  now.thread = book.pinned->thread;
  now.element = book.pinned->element;
  now.owner = &book.pinned;
}

std::string order_words(const TriedOrder& order) {
  std::string words = name_of(Schedule{order.order, order.seed});
  if (order.order == Order::shuffled) words += fmt::format(" (seed {})", order.seed);
  return words + "; " + order.label;
}

}  // namespace warpbook::ui
