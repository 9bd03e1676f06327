#pragma once
// Ctrl+K: search through every page and every command. The index and the matching are plain data and
// functions.
#include <string>
#include <string_view>
#include <vector>

#include "ui/palette_state.h"
#include "ui/workbook.h"

namespace warpbook::ui {

/// Lessons, headings, paragraphs, labs, exercises, reference pages and commands.
std::vector<PaletteEntry> palette_entries(const Workbook& book);

/// Entries in which every word of the query stands, best first, at most `limit`. Case and accents do not
/// count. An empty query gives commands and lessons in their order.
std::vector<PaletteMatch> search_palette(const std::vector<PaletteEntry>& entries, std::string_view query,
                                         size_t limit = 40);

/// Lower case without accents, for comparing.
std::string folded_text(std::string_view text);

/// Does what a command says.
void perform(Workbook& book, Command command);

}  // namespace warpbook::ui
