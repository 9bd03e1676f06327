#include "ui/exports.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "ui/picture_file.h"
#include "ui/saver.h"

namespace warpbook::ui {

namespace {

// The lab and the view that stand beside the page.
struct Shown {
  const Lesson* lesson = nullptr;
  const Lab* lab = nullptr;
  LabState* state = nullptr;
  const ViewSpec* spec = nullptr;
  const view::Visualiser* visualiser = nullptr;
};

Shown shown_view(Workbook& book) {
  Shown shown;
  shown.lesson = book.lesson();
  if (!shown.lesson || book.lesson_state().bench_is_exercise) return shown;
  shown.lab = shown.lesson->lab(book.lesson_state().bench);
  if (!shown.lab) return shown;
  shown.state = &lab_state(book, *shown.lesson, *shown.lab);
  if (size_t(shown.state->tab) >= shown.lab->views.size()) return shown;
  shown.spec = &shown.lab->views[size_t(shown.state->tab)];
  shown.visualiser = view::visualiser(shown.spec->type);
  return shown;
}

// Letters and digits stay, the rest becomes single hyphens: a name that every file system takes.
std::string file_stem(const std::string& words) {
  std::string stem;
  for (const char c : words) {
    if (std::isalnum(static_cast<unsigned char>(c))) {
      stem += char(std::tolower(static_cast<unsigned char>(c)));
    } else if (!stem.empty() && stem.back() != '-') {
      stem += '-';
    }
  }
  while (!stem.empty() && stem.back() == '-') stem.pop_back();
  return stem;
}

std::string stem_of(const Shown& shown, const std::string& locale) {
  const std::string title =
      !shown.spec->title.empty() ? shown.spec->title.in(locale) : std::string(shown.visualiser->title);
  return file_stem(shown.lesson->slug + "-" + shown.lab->name + "-" + title);
}

std::string outcome_words(const char* what, const Path& file, const Result<Done>& saved) {
  if (saved) return fmt::format("Saved as {}", file.string());
  return fmt::format("The {} was not saved: {}", what, to_string(saved.error()));
}

}  // namespace

Path export_folder(const Workbook& book) {
  if (const Path wanted(book.settings.export_folder); wanted.is_absolute()) return wanted;
  return book.session->folders.data / "exports";
}

Path fresh_name(const Path& folder, const std::string& stem, const std::string& extension) {
  for (int number = 1;; ++number) {
    const Path file =
        folder / (number == 1 ? stem + extension : fmt::format("{}-{}{}", stem, number, extension));
    std::error_code failed;
    if (!std::filesystem::exists(file, failed)) return file;
  }
}

void request_export(Workbook& book, ExportKind kind, const Path& file) {
  const Shown shown = shown_view(book);
  if (!shown.spec || !shown.visualiser || !shown.state->result) {
    say(book, "There is no picture to save here: open a lab and one of its pictures first.");
    return;
  }
  ExportRequest request;
  request.folder = export_folder(book);
  request.stem = stem_of(shown, book.locale());
  request.file = file;
  if (kind == ExportKind::picture) {
    book.picture_wanted = request;
    return;
  }
  if (!shown.visualiser->csv) {
    say(book, "This picture has no numbers of its own to save.");
    return;
  }
  if (!book.saver) return;
  // The run is shared and the rest is copied: the learner may go on while the table is written.
  const auto run = std::make_shared<const ShownRun>(shown_run(*shown.state));
  book.saver->submit([request, run, spec = *shown.spec, csv = shown.visualiser->csv] {
    const Path target =
        request.file.empty() ? fresh_name(request.folder, request.stem, ".csv") : request.file;
    return outcome_words("table", target, write_file(target, csv(view_input(*run, spec))));
  });
}

bool export_frame(Workbook& book) {
  if (!book.picture_wanted) return false;
  const Shown shown = shown_view(book);
  if (!shown.state) {
    book.picture_wanted.reset();
    return false;
  }
  return !shown.state->stale;  // a dimmed picture is about to be replaced
}

void keep_picture(Workbook& book, const Marks& marks, int width, int height, std::vector<uint32_t> pixels) {
  if (!book.picture_wanted || !book.saver) return;
  const ExportRequest request = *std::exchange(book.picture_wanted, std::nullopt);
  const Mark* area = marks.find("view.area");
  if (!area) {
    say(book, "There is no picture to save here: open a lab and one of its pictures first.");
    return;
  }
  const int x0 = std::clamp(int(std::floor(area->x0)), 0, width),
            x1 = std::clamp(int(std::ceil(area->x1)), x0, width),
            y0 = std::clamp(int(std::floor(area->y0)), 0, height),
            y1 = std::clamp(int(std::ceil(area->y1)), y0, height);
  if (x1 == x0 || y1 == y0) return;
  auto picture = std::make_shared<Picture>();
  picture->width = x1 - x0;
  picture->height = y1 - y0;
  picture->pixels.reserve(size_t(picture->width) * size_t(picture->height));
  for (int y = y0; y < y1; ++y) {
    const auto row = pixels.begin() + ptrdiff_t(y) * width;
    picture->pixels.insert(picture->pixels.end(), row + x0, row + x1);
  }
  book.saver->submit([request, picture] {
    const Path target =
        request.file.empty() ? fresh_name(request.folder, request.stem, ".png") : request.file;
    return outcome_words("picture", target, write_picture(target, *picture));
  });
}

}  // namespace warpbook::ui
