#pragma once
// The panels of the window. Each draws one part of the workbook into the current region and calls the
// workbook's operations; none knows another.
#include <string>
#include <vector>

#include "ui/document_view.h"
#include "ui/look.h"
#include "ui/workbook.h"

namespace warpbook::ui {

struct Frame {
  Look& look;
  Workbook& book;
};

// Columns.
void draw_contents(Frame& frame, bool folded);
void draw_page(Frame& frame);
void draw_bench(Frame& frame);

// What the page's live blocks show. `width` is in pixels.
/// `review`: the card of the review page, with a state of its own.
void draw_quiz_card(Frame& frame, const Lesson& lesson, const Question& question, float width,
                    QuizState* review = nullptr);
void draw_predict_card(Frame& frame, const Lesson& lesson, const Block& block, float width);
void draw_exercise_card(Frame& frame, const Lesson& lesson, const Exercise& exercise, float width);
void draw_lab_card(Frame& frame, const Lesson& lesson, const Lab& lab, float width);
/// A picture file with its words below.
void draw_figure(Frame& frame, const Path& file, const std::vector<warpbook::Run>& words, float width);
void draw_live_code(Frame& frame, const Lesson& lesson, const Block& block, float width);

// What the column beside the page shows.
void draw_lab(Frame& frame, const Lesson& lesson, const Lab& lab);
void draw_controls(Frame& frame, const Lesson& lesson, const Lab& lab, const Values& values);
/// Run, reset or how a run goes on; chips of its numbers; what can be kept.
void draw_status_row(Frame& frame, const Lesson& lesson, const Lab& lab);
/// Where a GPU has measured the run: its time beside the model's.
void draw_beside_measured(Frame& frame, const LabState& state);
/// The button that sweeps a control, at a place in its row, and the curve under the row.
void draw_sweep_button(Frame& frame, const Lesson& lesson, const Lab& lab, const Control& control,
                       ImVec2 corner);
void draw_sweep(Frame& frame, const Lesson& lesson, const Lab& lab, const Control& control);
void draw_exercise(Frame& frame, const Lesson& lesson, const Exercise& exercise);
/// The index of the diagnosis that was clicked, or -1.
int draw_diagnoses(Frame& frame, const std::string& name, const std::vector<Diagnosis>& diagnoses);

/// An opened diagnosis in an area of that size.
enum class MomentAction { none, close, to_line };
MomentAction draw_moment(Frame& frame, MomentState& moment, float width, float height);

/// What starter, mine and solution count on the same inputs, side by side.
void draw_version_counts(Frame& frame, const ExerciseState& state, bool solution_open);
/// Mine against starter and solution, in an area of that height.
void draw_compare(Frame& frame, ExerciseState& state, bool solution_open, float height);

void draw_settings(Frame& frame);
/// The page of all lessons.
void draw_overview(Frame& frame, float width);
void draw_review(Frame& frame, float width);
/// What stands under a lesson's text. `page` is that text, or null.
void draw_lesson_end(Frame& frame, const Lesson& lesson, const Document* page, float width);
void draw_palette(Frame& frame);
void draw_keys(Frame& frame);

/// A person has chosen a line of a text: every view shows what belongs to it.
void choose_line(Workbook& book, int line);

/// Text with {expressions} filled in; what cannot be computed stays as it stands.
std::string filled(const std::string& text, const Values& values);
/// Markdown in a card; follows its links.
void draw_markdown(Frame& frame, const std::string& name, const std::string& markdown, float width,
                   bool small = false);
void handle(Frame& frame, const DocumentEvents& events);
std::string title_of(const Lesson& lesson, const Lab& lab, const std::string& locale);
std::string title_of(const Exercise& exercise, const std::string& locale);

}  // namespace warpbook::ui
