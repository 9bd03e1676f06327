#pragma once
// What the editor does beyond typing, as pure functions from text and selection to one replacement, so that
// undo takes it back in one step. Positions count bytes.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpbook::ui {

/// Replace [begin, end) by text; then select [select_begin, select_end).
struct Edit {
  size_t begin = 0, end = 0;
  std::string text;
  size_t select_begin = 0, select_end = 0;
};

inline constexpr int indent_width = 4;

/// Enter at `cursor`: a line break and the indentation of the line, one step deeper after an opening brace;
/// between braces the closing one goes to a line of its own.
Edit break_line(std::string_view text, size_t begin, size_t end);
/// Tab: to the next multiple of the indent, or every selected line one step deeper (Shift: back).
Edit indent(std::string_view text, size_t begin, size_t end, bool back);
/// A closing brace as the first character of its line moves one step back.
std::optional<Edit> close_brace(std::string_view text, size_t begin, size_t end);
/// Puts `// ` before every line of the selection, or takes it away when all have it. Blank lines do not
/// count.
Edit toggle_comment(std::string_view text, size_t begin, size_t end);
/// The bracket at or just before the cursor and its partner; brackets in comments and strings do not count.
std::optional<std::pair<size_t, size_t>> matching_brackets(std::string_view text, size_t cursor);
/// Every place where `needle` stands, without regard to ASCII case.
std::vector<size_t> find_all(std::string_view text, std::string_view needle);

/// Line of a byte position, counting from 0, and the byte where a line begins.
int line_at(std::string_view text, size_t position);
size_t start_of_line(std::string_view text, int line);
std::string applied(std::string_view text, const Edit& edit);

}  // namespace warpbook::ui
