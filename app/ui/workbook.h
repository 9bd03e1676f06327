#pragma once
// Everything that the app knows and shows, as plain data, and the operations on it that need no window:
// opening pages, setting controls, taking results, keeping files. Panels draw it and call these.
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lab/session.h"
#include "lesson/lesson.h"
#include "lesson/progress.h"
#include "ui/code_editor.h"
#include "ui/gpu_pictures.h"
#include "ui/moment.h"
#include "ui/palette_state.h"
#include "ui/place.h"
#include "ui/quiz_flow.h"
#include "ui/runner.h"
#include "view/view.h"

namespace warpbook::ui {

/// The run that a lab shows, as a view needs it: shared results and copies, so that it outlives the frame.
struct ShownRun {
  std::shared_ptr<const RunResult> result, previous;
  std::shared_ptr<const RunModels> models, previous_models;
  std::shared_ptr<const std::string> source;
  Values values;
  std::optional<Times> first_times;
  uint64_t generation = 0;
  bool stale = false;
};

struct LabState {
  Values controls;
  std::string variant;
  Order order = Order::forward;
  std::shared_ptr<const RunResult> result, previous;
  std::shared_ptr<const RunModels> models, previous_models;  ///< of the two
  std::shared_ptr<const LivePicture> live;                   ///< of a run that is on its way; null = none
  std::string models_asked;                          ///< the GPU whose models are on their way; empty = none
  std::shared_ptr<const std::string> result_source;  ///< the code that it was made with
  Values result_controls;                            ///< that it was made with
  std::string result_variant;
  Values result_values;              ///< controls and derived dimensions that the result was made with
  std::optional<Times> first_times;  ///< of the first run with this code
  std::string first_times_of;        ///< which code that was
  std::optional<Error> error;        ///< trouble outside the kernel
  uint64_t ticket = 0;               ///< of the newest request
  uint64_t generation = 0;
  double asked_at = 0;        ///< steady_seconds of the newest request
  uint64_t drawn = 0;         ///< generation that was on screen last
  double answer_seconds = 0;  ///< from the newest request to its picture on screen
  bool stale = false;         ///< a newer run is on its way
  bool other_engine = false;  ///< made by an engine that was left: runs anew when it is looked at
  double ran_seconds = 0;
  std::string difference;  ///< to the run before, in words
  std::string swept;       ///< the control whose curve is shown; empty = none
  std::shared_ptr<const SweepResult> sweep, sweep_before;
  uint64_t sweep_ticket = 0;
  bool sweeping = false;
  std::shared_ptr<const ShownRun> before;  ///< the ghost: the run before, whole
  bool looks_back = false;                 ///< it is shown in place of the newest
  int tab = 0;
  std::vector<view::ViewState> views;
  CodeEditor code;            ///< what the Code tab shows
  std::string code_file;      ///< which file that is; empty = not loaded
  bool code_changed = false;  ///< the learner experiments
  Path experiment_file;       ///< where what they wrote last in this file's place is kept
  bool experiment_kept = false, experiment_unsaved = false;
  double experimented_at = 0;
  std::vector<CodeMark> marks;
  std::map<int, GutterNote> gutter;
  std::shared_ptr<const ProgramLaunches> launches;  ///< of the program that it shows: what can be opened
  std::shared_ptr<const OpenedLaunch> opened;       ///< the lab is this launch of a program
  std::string opened_from;                          ///< ... of this lab
  std::optional<MomentState>
      moment;  ///< a diagnosis that is open at its moment; it has the tab after the views
};

/// The newest run, or the one before it when the learner looks back.
ShownRun shown_run(const LabState& state);
/// Points into `run`, which must have a result.
view::ViewInput view_input(const ShownRun& run, const ViewSpec& spec);

struct ExerciseState {
  CodeEditor mine, starter, solution;
  bool loaded = false;
  int tab = 1;  ///< 0 starter, 1 mine, 2 solution, 3 compare, 4 (moment_tab) a moment when one is open
  Path file;    ///< the learner's own
  std::filesystem::file_time_type file_time{};
  bool unsaved = false, changed_outside = false;
  double edited_at = 0;
  std::string save_problem;
  std::optional<CheckReport> report;
  uint64_t report_version = 0;  ///< of the code that was checked
  std::optional<Error> error;
  uint64_t ticket = 0;
  bool checking = false;
  std::vector<CodeMark> marks;
  std::optional<MomentState> moment;
  std::string reason;  ///< typed before the solution is shown
  int compared = 0;    ///< 0 starter to mine, 1 mine to solution, 2 starter to solution
  std::shared_ptr<const CountedVersions> versions;  ///< of the last check
};

struct PredictState {
  std::string text;
  std::optional<double> guess;
  Values values;
};

struct LessonState {
  std::map<std::string, LabState> labs;
  std::map<std::string, ExerciseState> exercises;
  std::map<std::string, QuizState> questions;
  std::map<std::string, PredictState> predictions;
  std::map<std::string, CodeEditor> listings;  ///< code blocks of the page, by file and range
  bool bench_is_exercise = false;
  std::string bench;  ///< name of the lab or exercise beside the page
  float scroll = 0;
};

/// A picture of a lesson, as a texture.
struct FigureState {
  ImageTarget image;
  std::string problem;  ///< why there is none
};

struct ReferencePage {
  std::string name, title;
  Document document;
};

/// A question that comes back.
struct ReviewItem {
  std::string lesson, question;
};
struct ReviewState {
  std::vector<ReviewItem> items;            ///< due when the page was opened: answered ones stay in sight
  std::map<std::string, QuizState> states;  ///< by "lesson/question"
};

/// A picture or table that is to be written.
struct ExportRequest {
  Path folder, file;  ///< `file` empty: a fresh name in the folder
  std::string stem;
};

class Saver;

/// A launch of a program's tape that is to be opened, or (`row` 0) closed.
struct LaunchWanted {
  std::string lesson, lab;
  uint64_t row = 0;
};

struct Workbook {
  Session* session = nullptr;
  std::shared_ptr<const Library> library;
  std::vector<ReferencePage> pages;
  std::vector<Error> troubles;  ///< broken lessons, pages, progress, settings: shown in the contents
  Progress progress;
  Settings settings;
  Path progress_file, settings_file;
  bool progress_changed = false, settings_changed = false, keep_nothing = false;
  double changed_at = 0;
  std::vector<GpuSpec> specs;    ///< all GPUs with the figures of the models
  GpuRow gpu;                    ///< whose limits hold; the worker has its own copy
  std::string engine;            ///< badge: "emulator" or the GPU's name
  std::string compiler_missing;  ///< how to get NVRTC; empty = there is one
  std::string notice;            ///< one line at the bottom, for a while
  double notice_until = 0;

  Place place;
  std::vector<Place> back;
  bool scroll_wanted = false;  ///< restore the page's scroll position
  std::map<std::string, LessonState> lessons;
  view::Selection selection;
  std::optional<view::Selection> pinned;  ///< of an opened diagnosis: shown where the mouse selects nothing
  view::PictureMaker pictures;
  GpuPictures gpu_pictures;
  bool looked_for_gpus = false;
  std::vector<FoundGpu> gpus_here;  ///< of this machine, for the choice of an engine
  std::string no_gpus_here;         ///< why there are none
  std::string engine_wanted;        ///< taken between two runs; empty = the one that there is
  Runner* runner = nullptr;
  Saver* saver = nullptr;
  std::optional<ExportRequest> picture_wanted;  ///< of the next frame whose picture is not stale
  ReviewState review;
  bool narrow = false;           ///< page and lab share one column
  bool page_tab_is_lab = false;  ///< narrow windows: the lab is the second tab
  bool palette_open = false, keys_open = false;
  PaletteState palette;
  float font_step_applied = 0;
  bool look_changed = false;  ///< theme or scale: fonts and style are rebuilt before the next frame
  double now = 0;
  std::optional<LaunchWanted> launch_wanted;
  std::map<std::string, FigureState> figures;  ///< by file
  std::map<std::string, Document> parsed;      ///< markdown of questions, tasks, hints, by their text

  const Lesson* lesson() const;  ///< of the place, or null
  LessonState& lesson_state() { return lessons[place.name]; }
  const std::string& locale() const { return settings.locale; }
};

/// Loads library, pages, progress and settings; trouble goes to `troubles`, never stops it.
void load_workbook(Workbook& book, Session& session, bool keep_nothing);
/// Loads lessons again (F5); the states of labs stay.
void reload_library(Workbook& book);

void go_to(Workbook& book, Place place, bool remember = true);
void go_back(Workbook& book);
/// The target of a link on a page: a reference page, a lesson, or an address outside.
void follow_link(Workbook& book, const std::string& target);
/// The next or the previous lesson.
void step_lesson(Workbook& book, int by);

LabState& lab_state(Workbook& book, const Lesson& lesson, const Lab& lab);
ExerciseState& exercise_state(Workbook& book, const Lesson& lesson, const Exercise& exercise);
void show_lab(Workbook& book, const std::string& name);
void show_exercise(Workbook& book, const std::string& name);
/// Values for expressions on the page: the lab's controls, with derived dimensions.
Values values_of(Workbook& book, const Lesson& lesson, const std::string& lab);

void set_control(Workbook& book, const Lesson& lesson, const Lab& lab, const std::string& control,
                 int64_t value);
void request_run(Workbook& book, const Lesson& lesson, const Lab& lab, double delay = 0);
/// Fills `gpus_here`, once: opening a driver takes a while, and who has chosen the emulator need not wait.
void look_for_gpus(Workbook& book);
/// The engine of the settings, at the start; where that GPU is not there any more, what there is, and a word.
void take_engine(Workbook& book, const std::string& device);
/// Another engine (auto, emulated, cuda:GPU) from the next run on, and that run. A refusal is said, and
/// nothing changes.
void change_engine(Workbook& book, const std::string& device);
/// A lab with such a view shows it live: the GPU alone runs first, without a look by the emulator, so these
/// are views of labs whose kernels are known to end.
bool follows_live(const ViewSpec& spec);
/// Its picture may come from the GPU, with the options that these values give.
bool shows_pixels(const ViewSpec& spec, const Values& values);
/// After another GPU was chosen: what the models say of the run that is shown. Nothing runs again.
void request_models(Workbook& book, const Lesson& lesson, const Lab& lab);
/// Runs the lab over a control's values; the curve stands under it. The curve before stays as a ghost.
void request_sweep(Workbook& book, const Lesson& lesson, const Lab& lab, const Control& control);
/// The values that a sweep of a control takes: its choices, powers of two, or even steps.
std::vector<int64_t> swept_values(const Control& control);
/// The file in kernels/<slug>/ that a lab runs when the variant of that label is chosen.
const std::string& kernel_file(const Lab& lab, const std::string& variant);
void request_check(Workbook& book, const Lesson& lesson, const Exercise& exercise);
/// "Show me": puts the lab to a counter-example and runs it.
void apply_show(Workbook& book, const Lesson& lesson, const ShowMe& show, const Values& values);
/// The row of a program's tape that the lab shows, when its launch can be opened; 0 when there is none.
uint64_t openable_row(const Lesson& lesson, const Lab& lab, const LabState& state);
/// Opens that launch as a lab of its own, at the beginning of the next frame.
void open_launch_of(Workbook& book, const Lesson& lesson, const Lab& lab, uint64_t row);
/// Back to the program; the opened launch's lab goes away.
void close_launch(Workbook& book, const Lesson& lesson);
/// Puts the labs of opened launches into the library, and takes those out that were closed.
void renew_opened_labs(Workbook& book);
/// Takes what the runner has finished.
void take_results(Workbook& book);

/// Saves what changed: the learner's file by rename, progress and settings; sees changes from outside.
void keep_files(Workbook& book, bool now_at_once);
/// The lesson's file of the variant into the editor, when another one is there.
void open_lab_code(Workbook& book, const Lesson& lesson, const Lab& lab);
/// The lesson's own code again; the experiment is kept and can be brought back.
void leave_experiment(Workbook& book, LabState& state);
/// False: it could not be read, the learner is told.
bool bring_experiment_back(Workbook& book, LabState& state);

void save_exercise(Workbook& book, ExerciseState& state);
void reload_exercise(ExerciseState& state);
void note_progress(Workbook& book);
void say(Workbook& book, const std::string& notice);

/// Questions that were wrong at the first try though the learner was sure, and have not been right in a
/// review.
std::vector<ReviewItem> review_list(const Workbook& book);
/// Fills the review page anew.
void begin_review(Workbook& book);
/// Writes the learner's progress as an HTML file that prints.
void save_report(Workbook& book);

/// Done and all items (questions, exercises) of a lesson.
std::pair<int, int> progress_of(const Workbook& book, const Lesson& lesson);
/// Parsed markdown, kept by its text; a text that does not parse is shown as it stands.
const Document& document_of(Workbook& book, const std::string& markdown);
/// All text that may appear: what the fonts must hold.
std::string all_text(const Workbook& book);
std::string heading_anchor(const std::string& heading);

}  // namespace warpbook::ui
