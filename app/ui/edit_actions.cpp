#include "ui/edit_actions.h"

#include <algorithm>

#include "base/text.h"
#include "ui/syntax.h"

namespace warpbook::ui {

namespace {

size_t line_begin(std::string_view text, size_t position) {
  if (position == 0) return 0;
  const size_t before = text.rfind('\n', position - 1);
  return before == std::string_view::npos ? 0 : before + 1;
}
size_t line_end(std::string_view text, size_t position) {
  return std::min(text.size(), text.find('\n', position));
}

std::string_view indentation_of(std::string_view text, size_t begin) {
  size_t end = begin;
  while (end < text.size() && (text[end] == ' ' || text[end] == '\t')) ++end;
  return text.substr(begin, end - begin);
}

bool blank(std::string_view line) { return trim(line).empty(); }

// The whole lines that a selection touches; one that ends at the very start of a line does not touch it.
std::pair<size_t, size_t> whole_lines(std::string_view text, size_t begin, size_t end) {
  if (end > begin && text[end - 1] == '\n') --end;
  return {line_begin(text, begin), line_end(text, end)};
}

template <class Change>
Edit change_lines(std::string_view text, size_t begin, size_t end, Change&& change) {
  const auto [first, last] = whole_lines(text, begin, end);
  std::string replaced;
  size_t at = first;
  ptrdiff_t first_shift = 0;
  while (true) {
    const size_t stop = std::min(last, text.find('\n', at));
    const std::string line = change(text.substr(at, stop - at));
    if (at == first) first_shift = ptrdiff_t(line.size()) - ptrdiff_t(stop - at);
    replaced += line;
    if (stop >= last) break;
    replaced += '\n';
    at = stop + 1;
  }
  Edit edit{first, last, replaced, 0, 0};
  if (begin == end) {
    const ptrdiff_t moved = ptrdiff_t(begin) + first_shift;
    edit.select_begin = edit.select_end = size_t(std::max(ptrdiff_t(first), moved));
  } else {
    edit.select_begin = first;
    edit.select_end = first + replaced.size();
  }
  return edit;
}

}  // namespace

Edit break_line(std::string_view text, size_t begin, size_t end) {
  const size_t start = line_begin(text, begin);
  std::string_view indentation = indentation_of(text, start);
  if (start + indentation.size() > begin) indentation = text.substr(start, begin - start);
  const std::string_view before = trim(text.substr(start, begin - start));
  const bool opens = !before.empty() && (before.back() == '{' || before.back() == '(');
  std::string inserted = "\n" + std::string(indentation);
  if (opens) inserted += std::string(indent_width, ' ');
  const size_t cursor = begin + inserted.size();
  const std::string_view after = trim(text.substr(end, line_end(text, end) - end));
  if (opens && before.back() == '{' && !after.empty() && after.front() == '}') {
    inserted += "\n" + std::string(indentation);
  }
  return {begin, end, inserted, cursor, cursor};
}

Edit indent(std::string_view text, size_t begin, size_t end, bool back) {
  const std::string_view selected = text.substr(begin, end - begin);
  if (!back && selected.find('\n') == std::string_view::npos) {
    const size_t column = begin - line_begin(text, begin);
    const size_t spaces = indent_width - column % indent_width;
    return {begin, end, std::string(spaces, ' '), begin + spaces, begin + spaces};
  }
  return change_lines(text, begin, end, [back](std::string_view line) {
    if (!back) return blank(line) ? std::string(line) : std::string(indent_width, ' ') + std::string(line);
    size_t taken = 0;
    if (!line.empty() && line[0] == '\t') taken = 1;
    while (taken < size_t(indent_width) && taken < line.size() && line[taken] == ' ') ++taken;
    return std::string(line.substr(taken));
  });
}

std::optional<Edit> close_brace(std::string_view text, size_t begin, size_t end) {
  const size_t start = line_begin(text, begin);
  const std::string_view before = text.substr(start, begin - start);
  if (before.size() < size_t(indent_width) || !blank(before) || before.back() != ' ') return std::nullopt;
  const size_t from = begin - std::min<size_t>(indent_width, before.size());
  return Edit{from, end, "}", from + 1, from + 1};
}

Edit toggle_comment(std::string_view text, size_t begin, size_t end) {
  const auto [first, last] = whole_lines(text, begin, end);
  bool all = true;
  size_t common = std::string::npos;
  for (const std::string_view line : split(text.substr(first, last - first), '\n')) {
    if (blank(line)) continue;
    const std::string_view indentation = indentation_of(line, 0);
    common = std::min(common, indentation.size());
    all = all && starts_with(line.substr(indentation.size()), "//");
  }
  if (common == std::string::npos) {
    common = 0;
    all = false;
  }
  return change_lines(text, begin, end, [&](std::string_view line) {
    if (all) {
      const size_t at = line.find("//");
      if (at == std::string_view::npos) return std::string(line);
      const size_t skip = line.substr(at + 2, 1) == " " ? 3 : 2;
      return std::string(line.substr(0, at)) + std::string(line.substr(at + skip));
    }
    if (blank(line) && line.size() < common + 1 && !line.empty()) return std::string(line);
    if (line.empty()) return std::string();
    return std::string(line.substr(0, common)) + "// " + std::string(line.substr(common));
  });
}

std::optional<std::pair<size_t, size_t>> matching_brackets(std::string_view text, size_t cursor) {
  static constexpr std::string_view open = "([{", close = ")]}";
  const std::vector<Token> tokens = tokenize(text, Language::cuda);
  const auto hidden = [&tokens](size_t at) {
    const auto after =
        std::upper_bound(tokens.begin(), tokens.end(), at,
                         [](size_t position, const Token& token) { return position < token.begin; });
    if (after == tokens.begin()) return false;
    const Token& token = *(after - 1);
    return at < token.end && (token.kind == TokenKind::comment || token.kind == TokenKind::string);
  };
  const auto partner = [&](size_t at) -> std::optional<std::pair<size_t, size_t>> {
    if (at >= text.size() || hidden(at)) return std::nullopt;
    const size_t as_open = open.find(text[at]), as_close = close.find(text[at]);
    if (as_open == std::string_view::npos && as_close == std::string_view::npos) return std::nullopt;
    const bool forward = as_open != std::string_view::npos;
    const char same = text[at], other = forward ? close[as_open] : open[as_close];
    int depth = 0;
    for (size_t i = at; i < text.size(); forward ? ++i : --i) {
      if ((text[i] == same || text[i] == other) && !hidden(i)) {
        depth += text[i] == same ? 1 : -1;
        if (depth == 0) return std::pair{std::min(at, i), std::max(at, i)};
      }
      if (i == 0 && !forward) break;
    }
    return std::nullopt;
  };
  if (cursor > 0) {
    if (const auto found = partner(cursor - 1)) return found;
  }
  return partner(cursor);
}

std::vector<size_t> find_all(std::string_view text, std::string_view needle) {
  std::vector<size_t> places;
  if (needle.empty()) return places;
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; };
  const auto same = [&lower](char a, char b) { return lower(a) == lower(b); };
  auto from = text.begin();
  while (true) {
    from = std::search(from, text.end(), needle.begin(), needle.end(), same);
    if (from == text.end()) return places;
    places.push_back(size_t(from - text.begin()));
    from += ptrdiff_t(needle.size());
  }
}

int line_at(std::string_view text, size_t position) {
  return int(std::count(text.begin(), text.begin() + ptrdiff_t(std::min(position, text.size())), '\n'));
}

size_t start_of_line(std::string_view text, int line) {
  size_t at = 0;
  while (line-- > 0) {
    const size_t next = text.find('\n', at);
    if (next == std::string_view::npos) return text.size();
    at = next + 1;
  }
  return at;
}

std::string applied(std::string_view text, const Edit& edit) {
  return std::string(text.substr(0, edit.begin)) + edit.text + std::string(text.substr(edit.end));
}

}  // namespace warpbook::ui
