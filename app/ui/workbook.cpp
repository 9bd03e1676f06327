#include "ui/workbook.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "lab/own_gpus.h"
#include "ui/words.h"

namespace warpbook::ui {

const Lesson* Workbook::lesson() const {
  return place.kind == Place::Kind::lesson && library ? library->lesson(place.name) : nullptr;
}

namespace {

// A file that cannot be read is set aside, never overwritten: what the learner did stays on disk.
template <class T>
T load_or_set_aside(Workbook& book, const Path& file, Result<T> loaded, bool& may_save) {
  may_save = true;
  if (loaded) return std::move(*loaded);
  Error trouble = loaded.error();
  const Result<Path> aside = set_aside(file);
  if (aside) {
    trouble.hint = "it was kept as " + aside->filename().string() + " and a new one begins";
  } else {
    trouble.hint = "it cannot be set aside either, so nothing is saved";
    may_save = false;
  }
  book.troubles.push_back(trouble);
  return T{};
}

void load_pages(Workbook& book) {
  const Path folder = book.session->options.root / "assets" / "pages";
  for (const std::string& name : list_folder(folder)) {
    if (Path(name).extension() != ".md") continue;
    Result<std::string> text = read_file(folder / name, 4u << 20);
    if (!text) {
      book.troubles.push_back(text.error());
      continue;
    }
    Result<Document> document = parse_document(*text, (folder / name).string());
    if (!document) {
      book.troubles.push_back(document.error());
      continue;
    }
    ReferencePage page{Path(name).stem().string(), Path(name).stem().string(), std::move(*document)};
    for (const Block& block : page.document.blocks) {
      if (block.kind != Block::Kind::heading) continue;
      page.title.clear();
      for (const warpbook::Run& run : block.runs) page.title += run.text;
      break;
    }
    book.pages.push_back(std::move(page));
  }
}

std::vector<Path> roots_of(const Session& session) {
  std::vector<Path> roots = {session.options.root};
  roots.insert(roots.end(), session.options.more_lessons.begin(), session.options.more_lessons.end());
  return roots;
}

}  // namespace

void reload_library(Workbook& book) {
  book.troubles.erase(
      std::remove_if(book.troubles.begin(), book.troubles.end(),
                     [](const Error& e) { return e.where.file.find("assets") == std::string::npos; }),
      book.troubles.end());
  auto library = std::make_shared<Library>(load_library(roots_of(*book.session)));
  for (const Error& error : library->broken) book.troubles.push_back(error);
  book.library = std::move(library);
  renew_opened_labs(book);
}

void load_workbook(Workbook& book, Session& session, bool keep_nothing) {
  book.session = &session;
  book.gpu = session.gpu;
  // A session whose rows did not load was never opened.
  if (auto table = gpu_table(session)) book.specs = std::move(table->gpus);
  book.keep_nothing = keep_nothing;
  book.engine = engine_name(session);
  if (session.compiler)
    book.compiler_missing =
        session.compiler->place().library.empty() ? session.compiler->place().missing : "";
  load_pages(book);
  reload_library(book);
  book.progress_file = session.folders.data / "progress.json";
  book.settings_file = session.folders.config / "settings.json";
  if (keep_nothing) return;
  bool may_save_progress = true, may_save_settings = true;
  book.progress =
      load_or_set_aside(book, book.progress_file, load_progress(book.progress_file), may_save_progress);
  book.settings =
      load_or_set_aside(book, book.settings_file, load_settings(book.settings_file), may_save_settings);
  book.keep_nothing = !may_save_progress || !may_save_settings;
  if (const Result<GpuRow> gpu = gpu_named(session.gpus, book.settings.gpu);
      gpu && session.options.gpu == default_gpu_name) {
    book.gpu = *gpu;
  }
}

void note_progress(Workbook& book) {
  if (!book.progress_changed) book.changed_at = book.now;
  book.progress_changed = true;
}

void say(Workbook& book, const std::string& notice) {
  book.notice = notice;
  book.notice_until = book.now + 6;
}

void go_to(Workbook& book, Place place, bool remember) {
  const bool same = place == book.place;
  if (!same) {
    if (remember && !book.place.name.empty()) book.back.push_back(book.place);
    if (book.back.size() > 100) book.back.erase(book.back.begin());
    book.selection = {};
    book.pinned.reset();
  }
  book.place = std::move(place);
  book.scroll_wanted = !same || book.place.block >= 0 || !book.place.anchor.empty();
  if (book.place.kind == Place::Kind::review && !same) begin_review(book);
  const Lesson* lesson = book.lesson();
  if (!lesson) return;
  LessonProgress& progress = book.progress.lessons[lesson->slug];
  if (!progress.opened || book.progress.last_lesson != lesson->slug) {
    progress.opened = true;
    book.progress.last_lesson = lesson->slug;
    note_progress(book);
  }
  LessonState& state = book.lesson_state();
  if (state.bench.empty()) {
    state.scroll = progress.scroll;
    if (!lesson->labs.empty()) {
      show_lab(book, lesson->labs.front().name);
    } else if (!lesson->exercises.empty()) {
      show_exercise(book, lesson->exercises.front().name);
    }
  }
}

void go_back(Workbook& book) {
  if (book.back.empty()) return;
  const Place place = book.back.back();
  book.back.pop_back();
  go_to(book, place, false);
}

void follow_link(Workbook& book, const std::string& target) {
  if (starts_with(target, "http://") || starts_with(target, "https://")) {
    say(book, "That page is outside Warpbook: " + target);
    return;
  }
  const size_t hash = target.find('#');
  const Path path(target.substr(0, hash));
  const std::string anchor = hash == std::string::npos ? "" : target.substr(hash + 1);
  Place place = book.place;
  place.block = -1;
  place.anchor = anchor;
  if (!path.empty()) {
    const std::string stem = path.stem().string();
    if (stem == "lesson" || starts_with(stem, "lesson.")) {
      place.kind = Place::Kind::lesson;
      place.name = path.parent_path().filename().string();
    } else if (book.library && book.library->lesson(path.filename().string())) {
      place.kind = Place::Kind::lesson;
      place.name = path.filename().string();
    } else {
      place.kind = Place::Kind::page;
      place.name = stem;
    }
  }
  const bool known = place.kind == Place::Kind::lesson
                         ? book.library && book.library->lesson(place.name)
                         : std::any_of(book.pages.begin(), book.pages.end(),
                                       [&](const ReferencePage& page) { return page.name == place.name; });
  if (!known) {
    say(book, fmt::format("There is no page {} yet.", target));
    return;
  }
  go_to(book, place);
}

void step_lesson(Workbook& book, int by) {
  if (!book.library || book.library->lessons.empty()) return;
  const auto& lessons = book.library->lessons;
  const std::string current =
      book.place.kind == Place::Kind::lesson ? book.place.name : book.progress.last_lesson;
  const auto found =
      std::find_if(lessons.begin(), lessons.end(), [&](const Lesson& l) { return l.slug == current; });
  const ptrdiff_t at = found == lessons.end() ? 0 : found - lessons.begin() + by;
  if (at < 0 || at >= ptrdiff_t(lessons.size())) return;
  go_to(book, {Place::Kind::lesson, lessons[size_t(at)].slug, {}, -1});
}

LabState& lab_state(Workbook& book, const Lesson& lesson, const Lab& lab) {
  LabState& state = book.lessons[lesson.slug].labs[lab.name];
  if (state.controls.empty()) {
    if (const Result<Values> values = default_values(lab)) state.controls = *values;
    if (state.variant.empty() && !lab.variants.empty()) state.variant = lab.variants.front().first;
  }
  state.views.resize(lab.views.size());
  return state;
}

Values values_of(Workbook& book, const Lesson& lesson, const std::string& name) {
  const Lab* lab = name.empty() ? (lesson.labs.empty() ? nullptr : &lesson.labs.front()) : lesson.lab(name);
  if (!lab) return {};
  const LabState& state = lab_state(book, lesson, *lab);
  Result<Values> values = complete_values(*lab, state.controls);
  return values ? *values : state.controls;
}

void show_lab(Workbook& book, const std::string& name) {
  const Lesson* lesson = book.lesson();
  const Lab* lab = lesson ? lesson->lab(name) : nullptr;
  if (!lab) return;
  LessonState& state = book.lesson_state();
  state.bench = name;
  state.bench_is_exercise = false;
  if (LabState& lab_now = lab_state(book, *lesson, *lab); !lab_now.result && lab_now.ticket == 0) {
    request_run(book, *lesson, *lab);
  }
}

void show_exercise(Workbook& book, const std::string& name) {
  const Lesson* lesson = book.lesson();
  const Exercise* exercise = lesson ? lesson->exercise(name) : nullptr;
  if (!exercise) return;
  LessonState& state = book.lesson_state();
  state.bench = name;
  state.bench_is_exercise = true;
  exercise_state(book, *lesson, *exercise);
}

std::pair<int, int> progress_of(const Workbook& book, const Lesson& lesson) {
  const int all = int(lesson.quiz.questions.size() + lesson.exercises.size());
  const auto found = book.progress.lessons.find(lesson.slug);
  if (found == book.progress.lessons.end()) return {0, all};
  int done = 0;
  for (const Question& question : lesson.quiz.questions) {
    const auto entry = found->second.questions.find(question.name);
    done += entry != found->second.questions.end() && (entry->second.right || entry->second.revealed);
  }
  for (const Exercise& exercise : lesson.exercises) {
    const auto entry = found->second.exercises.find(exercise.name);
    done += entry != found->second.exercises.end() && entry->second.passed;
  }
  return {done, all};
}

const Document& document_of(Workbook& book, const std::string& markdown) {
  const auto found = book.parsed.find(markdown);
  if (found != book.parsed.end()) return found->second;
  // Texts with numbers filled in change with the controls: the store is emptied before it grows without end.
  if (book.parsed.size() > 500) book.parsed.clear();
  Result<Document> document = parse_document(markdown, "");
  Document shown;
  if (document) {
    shown = std::move(*document);
  } else {
    Block block;
    warpbook::Run run;
    run.text = markdown;
    block.runs.push_back(run);
    shown.blocks.push_back(block);
  }
  return book.parsed.emplace(markdown, std::move(shown)).first->second;
}

std::string heading_anchor(const std::string& heading) {
  std::string anchor;
  for (const char32_t c : decode_utf8(heading)) {
    if (c == ' ' || c == '-') {
      anchor += '-';
    } else if (c == '_' || (c < 128 && std::isalnum(int(c)))) {
      anchor += c < 128 ? char(std::tolower(int(c))) : '?';
    } else if (c >= 128) {
      anchor += encode_utf8(std::u32string(1, c));
    }
  }
  return anchor;
}

}  // namespace warpbook::ui
