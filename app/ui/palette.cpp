#include "ui/palette.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "ui/exports.h"
#include "ui/keys.h"
#include "ui/panels.h"

namespace warpbook::ui {

std::string folded_text(std::string_view text) {
  // Latin-1 letters with accents to their base letter; enough for the languages that lessons are written in.
  static constexpr std::u32string_view from = U"àáâãäåçèéêëìíîïñòóôõöùúûüýÿ";
  static constexpr std::string_view to = "aaaaaaceeeeiiiinooooouuuuyy";
  std::u32string out;
  for (char32_t c : decode_utf8(text)) {
    if (c >= U'A' && c <= U'Z') c += 32;
    if (c >= 0xC0 && c <= 0xDE && c != 0xD7) c += 32;
    const size_t at = from.find(c);
    if (at != std::u32string_view::npos) c = char32_t(to[at]);
    out += c;
  }
  return encode_utf8(out);
}

namespace {

std::string text_of(const std::vector<warpbook::Run>& runs) {
  std::string text;
  for (const warpbook::Run& run : runs) text += run.text;
  return text;
}

void add_document(std::vector<PaletteEntry>& entries, const Document& document, const std::string& title,
                  const Place& place) {
  std::string heading = title;
  for (size_t i = 0; i < document.blocks.size(); ++i) {
    const Block& block = document.blocks[i];
    Place at = place;
    at.block = int(i);
    const std::string text = text_of(block.runs);
    if (block.kind == Block::Kind::heading) {
      heading = text;
      if (block.level > 1) entries.push_back({text, title, {}, Command::none, at});
    } else if (!text.empty()) {
      entries.push_back({heading, title, text, Command::none, at});
    } else if (block.kind == Block::Kind::table) {
      std::string cells;
      for (const auto& row : block.rows) {
        for (const auto& cell : row) cells += text_of(cell) + " ";
      }
      entries.push_back({heading, title, cells, Command::none, at});
    }
  }
}

std::string snippet_of(const PaletteEntry& entry, const std::vector<std::string>& words) {
  if (entry.text.empty() || words.empty()) return {};
  const std::u32string text = decode_utf8(entry.text), folded = decode_utf8(folded_text(entry.text));
  const size_t found = folded.find(decode_utf8(words.front()));
  if (found == std::u32string::npos) return encode_utf8(text.substr(0, 72)) + (text.size() > 72 ? "…" : "");
  size_t begin = found > 30 ? found - 30 : 0;
  while (begin > 0 && text[begin - 1] != U' ') --begin;
  const size_t length = 72;
  return (begin > 0 ? "…" : "") + encode_utf8(text.substr(begin, length)) +
         (begin + length < text.size() ? "…" : "");
}

}  // namespace

std::vector<PaletteEntry> palette_entries(const Workbook& book) {
  const auto command = [](const char* title, Command what, const char* words = "") {
    return PaletteEntry{title, keys_of(what), words, what, {}};
  };
  std::vector<PaletteEntry> entries = {
      command("Run the lab", Command::run),
      command("Save and check the exercise", Command::check),
      command("Next lesson", Command::next_lesson),
      command("Previous lesson", Command::previous_lesson),
      command("Back", Command::go_back),
      command("One step back in the picture", Command::step_back, "scrub previous"),
      command("One step forward in the picture", Command::step_forward, "scrub next"),
      command("Save the picture as PNG", Command::export_picture, "export image screenshot"),
      command("Save the numbers as CSV", Command::export_numbers, "export table data"),
      command("All lessons", Command::overview, "contents overview progress"),
      command("Review what you were sure of", Command::review, "questions wrong again"),
      command("Save a report of my progress", Command::report, "print html export"),
      command("Light or dark", Command::theme, "theme colours"),
      command("Larger text", Command::larger, "font zoom"),
      command("Smaller text", Command::smaller, "font zoom"),
      command("Text at its usual size", Command::usual_size, "font zoom"),
      command("Fold or unfold the contents", Command::fold_contents),
      command("Settings", Command::settings, "gpu theme scale language"),
      command("Keys", Command::keys, "shortcuts keyboard help"),
      command("Load the lessons again", Command::reload, "reload")};
  for (const Lesson& lesson : book.library->lessons) {
    const Place place{Place::Kind::lesson, lesson.slug, {}, -1};
    const std::string title = lesson.title.in(book.locale());
    entries.push_back({title, "Lesson " + lesson.slug.substr(0, lesson.slug.find('-')),
                       lesson.summary.in(book.locale()), Command::none, place});
    const auto found = lesson.pages.find(book.locale());
    const auto page = found == lesson.pages.end() ? lesson.pages.find("en") : found;
    if (page != lesson.pages.end()) add_document(entries, page->second, title, place);
  }
  for (const ReferencePage& page : book.pages) {
    const Place place{Place::Kind::page, page.name, {}, -1};
    entries.push_back({page.title, "Reference", {}, Command::none, place});
    add_document(entries, page.document, page.title, place);
  }
  return entries;
}

std::vector<PaletteMatch> search_palette(const std::vector<PaletteEntry>& entries, std::string_view query,
                                         size_t limit) {
  std::vector<std::string> words;
  const std::string folded_query = folded_text(query);
  for (const std::string_view word : split(folded_query, ' ')) {
    if (!word.empty()) words.emplace_back(word);
  }
  std::vector<PaletteMatch> matches;
  for (size_t i = 0; i < entries.size(); ++i) {
    const PaletteEntry& entry = entries[i];
    if (words.empty()) {
      const bool whole = entry.command != Command::none || entry.place.block < 0;
      if (whole) matches.push_back({i, entry.command == Command::none ? 1 : 0, {}});
      continue;
    }
    const std::string title = folded_text(entry.title), detail = folded_text(entry.detail),
                      text = folded_text(entry.text);
    int score = 0;
    bool all = true;
    for (const std::string& word : words) {
      const size_t in_title = title.find(word), in_text = text.find(word);
      int best = 0;
      if (in_title != std::string::npos) best = in_title == 0 || title[in_title - 1] == ' ' ? 100 : 60;
      if (in_text != std::string::npos)
        best = std::max(best, in_text == 0 || text[in_text - 1] == ' ' ? 30 : 15);
      if (detail.find(word) != std::string::npos) best = std::max(best, 10);
      all = all && best > 0;
      score += best;
    }
    if (!all) continue;
    if (title == folded_query) score += 60;  // the very thing: a glossary entry, a lesson by its name
    if (entry.command == Command::none && entry.place.block < 0)
      score += 20;  // a whole page before a place in it
    if (entry.command != Command::none) score += 5;
    matches.push_back({i, score, snippet_of(entry, words)});
  }
  std::stable_sort(matches.begin(), matches.end(),
                   [](const PaletteMatch& a, const PaletteMatch& b) { return a.score > b.score; });
  // One place a section: the best paragraph stands for its neighbours.
  std::set<std::pair<std::string, std::string>> seen;
  matches.erase(
      std::remove_if(matches.begin(), matches.end(),
                     [&](const PaletteMatch& match) {
                       const PaletteEntry& entry = entries[match.entry];
                       // What stands right under a page's own heading is the page.
                       const std::string& part_of = entry.place.block < 0 ? entry.title : entry.detail;
                       return entry.command == Command::none && !seen.insert({entry.title, part_of}).second;
                     }),
      matches.end());
  if (matches.size() > limit) matches.resize(limit);
  return matches;
}

void perform(Workbook& book, Command command) {
  const Lesson* lesson = book.lesson();
  switch (command) {
    case Command::none: break;
    case Command::run:
      if (lesson && !book.lesson_state().bench_is_exercise) {
        if (const Lab* lab = lesson->lab(book.lesson_state().bench)) request_run(book, *lesson, *lab);
        break;
      }
      [[fallthrough]];
    case Command::check:
      if (lesson && book.lesson_state().bench_is_exercise) {
        if (const Exercise* exercise = lesson->exercise(book.lesson_state().bench))
          request_check(book, *lesson, *exercise);
      }
      break;
    case Command::cancel:
      if (book.runner && book.runner->status().busy) {
        book.runner->cancel();
      } else {
        close_shown_moment(book);
      }
      break;
    case Command::step_back: step_shown_view(book, -1); break;
    case Command::step_forward: step_shown_view(book, 1); break;
    case Command::search: book.palette_open = true; break;
    case Command::export_picture: request_export(book, ExportKind::picture); break;
    case Command::export_numbers: request_export(book, ExportKind::numbers); break;
    case Command::next_lesson: step_lesson(book, 1); break;
    case Command::previous_lesson: step_lesson(book, -1); break;
    case Command::go_back: go_back(book); break;
    case Command::overview: go_to(book, {Place::Kind::overview, "overview", {}, -1}); break;
    case Command::review: go_to(book, {Place::Kind::review, "review", {}, -1}); break;
    case Command::report: save_report(book); break;
    case Command::settings: go_to(book, {Place::Kind::settings, "settings", {}, -1}); break;
    case Command::keys: book.keys_open = true; break;
    case Command::theme:
      book.settings.theme = book.settings.theme == "dark" ? "light" : "dark";
      book.settings_changed = book.look_changed = true;
      break;
    case Command::larger:
    case Command::smaller:
      book.settings.font_step =
          std::clamp(book.settings.font_step + (command == Command::larger ? 1.0f : -1.0f), -4.0f, 10.0f);
      book.settings_changed = book.look_changed = true;
      break;
    case Command::usual_size:
      if (book.settings.font_step == 0) break;
      book.settings.font_step = 0;
      book.settings_changed = book.look_changed = true;
      break;
    case Command::fold_contents:
      book.settings.contents_folded = !book.settings.contents_folded;
      book.settings_changed = true;
      break;
    case Command::reload:
      reload_library(book);
      book.look_changed = true;  // new text may need new glyphs
      say(book, "Lessons loaded again.");
      break;
  }
}

}  // namespace warpbook::ui
