// Markdown to blocks of runs, by md4c's callbacks. Parsed once; drawing walks the result every frame.
#include "lesson/document.h"

#include <fmt/format.h>
#include <md4c.h>

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "lesson/entities.h"
#include "lesson/json_positions.h"
#include "lesson/live_blocks.h"
#include "lesson/math_text.h"

namespace warpbook {

namespace {

std::string attribute_text(const MD_ATTRIBUTE& attribute) {
  return decode_entities(std::string_view(attribute.text ? attribute.text : "", attribute.size));
}

/// What md4c's callbacks build on; each callback is a step of one walk over the page.
class Builder {
 public:
  Builder(std::string_view markdown, std::string file) : markdown_(markdown), file_(std::move(file)) {}

  Document document;
  std::optional<Error> error;

  void enter(MD_BLOCKTYPE type, void* detail) {
    switch (type) {
      case MD_BLOCK_H: open(Block::Kind::heading, int(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level)); break;
      case MD_BLOCK_P: open_paragraph(); break;
      case MD_BLOCK_QUOTE: ++quotes_; break;
      case MD_BLOCK_UL: lists_.push_back({false, 0}); break;
      case MD_BLOCK_OL: lists_.push_back({true, int(static_cast<MD_BLOCK_OL_DETAIL*>(detail)->start)}); break;
      case MD_BLOCK_LI: enter_item(*static_cast<MD_BLOCK_LI_DETAIL*>(detail)); break;
      case MD_BLOCK_HR:
        open(Block::Kind::rule, int(lists_.size()));
        close();
        break;
      case MD_BLOCK_CODE: enter_code(*static_cast<MD_BLOCK_CODE_DETAIL*>(detail)); break;
      case MD_BLOCK_TABLE: open(Block::Kind::table, int(lists_.size())); break;
      case MD_BLOCK_TR: current_.rows.emplace_back(); break;
      case MD_BLOCK_TH:
      case MD_BLOCK_TD: current_.rows.back().emplace_back(); break;
      default: break;
    }
  }

  void leave(MD_BLOCKTYPE type) {
    switch (type) {
      case MD_BLOCK_H:
      case MD_BLOCK_P:
      case MD_BLOCK_TABLE: close(); break;
      case MD_BLOCK_CODE: leave_code(); break;
      case MD_BLOCK_QUOTE: --quotes_; break;
      case MD_BLOCK_UL:
      case MD_BLOCK_OL:
        close();
        if (!lists_.empty()) lists_.pop_back();
        break;
      case MD_BLOCK_LI: close(); break;
      default: break;
    }
  }

  void enter(MD_SPANTYPE type, void* detail) {
    switch (type) {
      case MD_SPAN_STRONG: ++bold_; break;
      case MD_SPAN_EM: ++italic_; break;
      case MD_SPAN_CODE: code_ = true; break;
      case MD_SPAN_DEL: ++strike_; break;
      case MD_SPAN_A: link_ = attribute_text(static_cast<MD_SPAN_A_DETAIL*>(detail)->href); break;
      case MD_SPAN_IMG: {
        image_.emplace();
        image_->kind = Block::Kind::image;
        image_->level = int(lists_.size());
        image_->text = attribute_text(static_cast<MD_SPAN_IMG_DETAIL*>(detail)->src);
        break;
      }
      case MD_SPAN_LATEXMATH:
      case MD_SPAN_LATEXMATH_DISPLAY: math_ = std::string(); break;
      default: break;
    }
  }

  void leave(MD_SPANTYPE type) {
    switch (type) {
      case MD_SPAN_STRONG: --bold_; break;
      case MD_SPAN_EM: --italic_; break;
      case MD_SPAN_CODE: code_ = false; break;
      case MD_SPAN_DEL: --strike_; break;
      case MD_SPAN_A: link_.clear(); break;
      case MD_SPAN_IMG:
        if (image_) images_.push_back(std::move(*image_));
        image_.reset();
        break;
      case MD_SPAN_LATEXMATH:
      case MD_SPAN_LATEXMATH_DISPLAY: {
        const std::string text = math_as_text(math_.value_or(""));
        math_.reset();
        add(text, true);
        break;
      }
      default: break;
    }
  }

  void text(MD_TEXTTYPE type, std::string_view piece) {
    note_place(piece.data());
    switch (type) {
      case MD_TEXT_BR: line_break(); break;
      case MD_TEXT_SOFTBR:
        if (math_)
          *math_ += ' ';
        else
          add(" ");
        break;
      case MD_TEXT_ENTITY: add(decode_entity(piece)); break;
      case MD_TEXT_NULLCHAR: add("\uFFFD"); break;
      case MD_TEXT_LATEXMATH:
        if (math_) math_->append(piece);
        break;
      default:
        if (open_ && current_.kind == Block::Kind::code)
          current_.text.append(piece);
        else
          add(std::string(piece));
    }
  }

 private:
  struct List {
    bool numbered;
    int next;
  };

  void open(Block::Kind kind, int level = 0) {
    close();
    current_ = Block{};
    current_.kind = kind;
    current_.level = level;
    open_ = true;
  }

  /// A paragraph in an item is the item's text when it is its first, and stands below it otherwise.
  void open_paragraph() {
    if (open_ && is_item(current_) && current_.runs.empty()) return;
    if (quotes_ > 0)
      open(Block::Kind::quote, quotes_ - 1);
    else
      open(Block::Kind::paragraph, int(lists_.size()));
  }

  void enter_item(const MD_BLOCK_LI_DETAIL& detail) {
    List& list = lists_.back();
    open(list.numbered ? Block::Kind::numbered : Block::Kind::bullet, int(lists_.size()) - 1);
    if (list.numbered) current_.number = list.next++;
    if (detail.is_task) add(detail.task_mark == ' ' ? "[ ] " : "[x] ");
  }

  static bool is_item(const Block& block) {
    return block.kind == Block::Kind::bullet || block.kind == Block::Kind::numbered;
  }

  void enter_code(const MD_BLOCK_CODE_DETAIL& detail) {
    open(Block::Kind::code, int(lists_.size()));
    info_ = std::string(trim(attribute_text(detail.info)));
    current_.language = attribute_text(detail.lang);
    note_place(detail.info.text);
  }

  void leave_code() {
    if (!open_) return;
    if (const auto made = make_live(current_, info_); !made && !error) {
      error = made.error();
      error->where = {file_, current_.line, 1};
    }
    close();
  }

  void close() {
    if (open_) {
      tidy();
      const bool only_images =
          current_.kind == Block::Kind::paragraph && current_.runs.empty() && !images_.empty();
      if (current_.line == 0) current_.line = last_line_;
      if (!only_images) document.blocks.push_back(std::move(current_));
    }
    open_ = false;
    for (Block& image : images_) {
      image.line = last_line_;
      document.blocks.push_back(std::move(image));
    }
    images_.clear();
  }

  /// No blanks at the ends of a paragraph.
  void tidy() {
    std::vector<Run>& runs = current_.runs;
    const auto blank = [](const Run& run) { return !run.line_break && trim(run.text).empty(); };
    while (!runs.empty() && blank(runs.back())) runs.pop_back();
    while (!runs.empty() && blank(runs.front())) runs.erase(runs.begin());
  }

  std::vector<Run>& target() {
    if (image_) return image_->runs;
    if (!open_) open_paragraph();  // text that stands directly in an item after a nested block
    if (current_.kind == Block::Kind::table && !current_.rows.empty() && !current_.rows.back().empty()) {
      return current_.rows.back().back();
    }
    return current_.runs;
  }

  void add(const std::string& text, bool is_math = false) {
    if (math_) {
      *math_ += text;
      return;
    }
    Run run;
    run.text = text;
    run.bold = bold_ > 0;
    run.italic = italic_ > 0;
    run.code = code_;
    run.strike = strike_ > 0;
    run.math = is_math;
    run.link = link_;
    std::vector<Run>& runs = target();
    if (!runs.empty() && same_style(runs.back(), run))
      runs.back().text += text;
    else
      runs.push_back(std::move(run));
  }

  static bool same_style(const Run& a, const Run& b) {
    return a.bold == b.bold && a.italic == b.italic && a.code == b.code && a.strike == b.strike &&
           a.math == b.math && !a.line_break && a.link == b.link;
  }

  void line_break() {
    std::vector<Run>& runs = target();
    if (runs.empty()) add("");
    runs.back().line_break = true;
  }

  /// md4c tells no lines, but hands out pointers into the page wherever it can.
  void note_place(const char* text) {
    const char* begin = markdown_.data();
    if (!text || text < begin || text >= begin + markdown_.size()) return;
    while (counted_ < size_t(text - begin)) last_line_ += begin[counted_++] == '\n' ? 1 : 0;
    if (open_ && current_.line == 0) current_.line = last_line_;
  }

  std::string_view markdown_;
  std::string file_;
  Block current_;
  bool open_ = false, code_ = false;
  int bold_ = 0, italic_ = 0, strike_ = 0, quotes_ = 0;
  int last_line_ = 1;
  size_t counted_ = 0;
  std::string link_, info_;
  std::optional<std::string> math_;
  std::optional<Block> image_;
  std::vector<Block> images_;
  std::vector<List> lists_;
};

Builder& builder(void* user) { return *static_cast<Builder*>(user); }

void append_words(std::string& text, const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    text += run.text;
    if (run.line_break) text += ' ';
  }
}

}  // namespace

Result<Document> parse_document(std::string_view markdown, const std::string& file) {
  if (const size_t bad = first_invalid_utf8(markdown); bad != std::string_view::npos) {
    return Error{"The page is not valid UTF-8.", Trouble::bad_input, location_of(markdown, bad, file),
                 "Save it as plain UTF-8 text."};
  }
  if (const size_t bad = markdown.find('\0'); bad != std::string_view::npos) {
    return Error{"The page holds a NUL byte.", Trouble::bad_input, location_of(markdown, bad, file),
                 "Save it as plain UTF-8 text."};
  }
  if (markdown.size() > max_page_bytes) {
    return Error{fmt::format("The page has {} bytes; a page may have {}.", markdown.size(), max_page_bytes),
                 Trouble::bad_input,
                 {file, 0, 0},
                 {}};
  }
  Builder walk(markdown, file);
  MD_PARSER parser{};
  parser.flags = MD_DIALECT_GITHUB | MD_FLAG_LATEXMATHSPANS | MD_FLAG_NOHTML;
  parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* user) {
    builder(user).enter(type, detail);
    return 0;
  };
  parser.leave_block = [](MD_BLOCKTYPE type, void*, void* user) {
    builder(user).leave(type);
    return 0;
  };
  parser.enter_span = [](MD_SPANTYPE type, void* detail, void* user) {
    builder(user).enter(type, detail);
    return 0;
  };
  parser.leave_span = [](MD_SPANTYPE type, void*, void* user) {
    builder(user).leave(type);
    return 0;
  };
  parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* user) {
    builder(user).text(type, {text, size});
    return 0;
  };
  if (md_parse(markdown.data(), MD_SIZE(markdown.size()), &parser, &walk) != 0) {
    return Error{"The page could not be parsed.", Trouble::bad_input, {file, 0, 0}, {}};
  }
  if (walk.error) return *walk.error;
  return std::move(walk.document);
}

std::string plain_text(const Document& document) {
  std::string text;
  for (const Block& block : document.blocks) {
    append_words(text, block.runs);
    for (const auto& row : block.rows) {
      for (const auto& cell : row) {
        append_words(text, cell);
        text += ' ';
      }
    }
    if (block.kind == Block::Kind::code) text += block.text;
    text += '\n';
  }
  return text;
}

}  // namespace warpbook
