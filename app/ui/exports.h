#pragma once
// Pictures and tables to keep: the view that is shown, as a PNG of what is seen or as a CSV of its numbers.
#include <optional>
#include <string>

#include "ui/marks.h"
#include "ui/workbook.h"

namespace warpbook::ui {

enum class ExportKind { picture, numbers };

/// Where exports go: the folder of the settings, else exports/ beside the learner's files.
Path export_folder(const Workbook& book);
/// FOLDER/STEM.EXTENSION, or STEM-2, STEM-3 ... when there is such a file: nothing is overwritten.
Path fresh_name(const Path& folder, const std::string& stem, const std::string& extension);

/// Asks for the view that is shown. `file` empty: a fresh name in the export folder. Says why not when there
/// is nothing to export; the outcome is told when it is known.
void request_export(Workbook& book, ExportKind kind, const Path& file = {});
/// At the beginning of a frame: whether this frame's picture is to be kept. Such a frame shows no notice and
/// no tooltip of the app's own.
bool export_frame(Workbook& book);
/// After such a frame was drawn: `pixels` of the whole window, of which the view's area is kept.
void keep_picture(Workbook& book, const Marks& marks, int width, int height, std::vector<uint32_t> pixels);

}  // namespace warpbook::ui
