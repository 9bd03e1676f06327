#pragma once
// A diagnosis opened at its moment: the block at fault, recorded step by step, and the thread and cell that
// every view then shows.
#include <memory>
#include <optional>
#include <string>

#include "lab/replay.h"
#include "view/view.h"

namespace warpbook::ui {

struct Workbook;

/// Its tab in an exercise, after starter, mine, solution and the comparison.
inline constexpr int moment_tab = 4;

struct MomentState {
  std::optional<Diagnosis> diagnosis;  ///< as the list shows it
  std::string title;                   ///< one line over the picture
  std::shared_ptr<const Replay> replay;
  std::shared_ptr<const std::string> source;
  std::optional<Error> error;
  uint64_t ticket = 0, generation = 0;
  view::ViewState view;
};

/// Opens what a lab's run found. A diagnosis without a place in a block (a launch that was refused) has none.
void open_moment(Workbook& book, const Lesson& lesson, const Lab& lab, const Diagnosis& diagnosis);
/// Opens what a check found.
void open_moment(Workbook& book, const Lesson& lesson, const Exercise& exercise, const Diagnosis& diagnosis);
/// Opens an order that a check tried.
void open_order(Workbook& book, const Lesson& lesson, const Exercise& exercise, const TriedOrder& order);
void close_moment(Workbook& book, std::optional<MomentState>& moment);
/// Of the lab or exercise beside the page.
void close_shown_moment(Workbook& book);
/// The view beside the page, by so many steps where it has steps.
void step_shown_view(Workbook& book, int by);
bool has_moment(const Diagnosis& diagnosis);

/// What the runner brought; false when nobody waits for it any more.
bool take_replay(Workbook& book, std::optional<MomentState>& moment, uint64_t ticket, Result<Replay> replay);

/// What a view needs of it; it must have its replay.
view::ViewInput moment_input(const MomentState& moment);

/// Until it is taken back, every view shows the thread and the cell of `diagnosis` where the mouse selects
/// nothing else.
void pin(Workbook& book, const Diagnosis& diagnosis, const Launch& launch);
void unpin(Workbook& book);
/// Before views are drawn: puts the pinned selection back where the mouse has left.
void apply_pin(Workbook& book);

/// "blocks and warps shuffled (seed 5); n = 33, block = (32, 1, 1)"
std::string order_words(const TriedOrder& order);

}  // namespace warpbook::ui
