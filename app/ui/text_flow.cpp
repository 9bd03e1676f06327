#include "ui/text_flow.h"

#include <algorithm>

namespace warpbook::ui {

namespace {

// A word may have parts of several runs; a part never crosses a run.
struct Part {
  size_t run, begin, end;
  float width;
};

size_t next_code_point(std::string_view text, size_t at) {
  ++at;
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) ++at;
  return at;
}

class Flower {
 public:
  Flower(const std::vector<Run>& runs, float max_width, const Measure& measure, float first_indent)
      : runs_(runs), max_width_(std::max(max_width, 1.0f)), measure_(measure), x_(first_indent) {}

  Flow run() {
    for (size_t r = 0; r < runs_.size(); ++r) {
      const std::string& text = runs_[r].text;
      size_t at = 0;
      if ((runs_[r].code || runs_[r].math) && !text.empty()) {
        // Code and a short formula between words are one word: neither `if (i < n)` nor z = 0 falls apart at
        // the end of a line. A long formula may, at its spaces.
        const float width = measure_(runs_[r], text);
        if (runs_[r].code || width <= max_width_ / 2) {
          word_.push_back({r, 0, text.size(), width});
          at = text.size();
        }
      }
      while (at < text.size()) {
        if (text[at] == ' ' || text[at] == '\n' || text[at] == '\t') {
          end_word();
          const size_t begin = at;
          while (at < text.size() && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t')) ++at;
          spaces_.push_back({r, begin, at, measure_(runs_[r], " ")});
        } else {
          const size_t begin = at;
          while (at < text.size() && text[at] != ' ' && text[at] != '\n' && text[at] != '\t') ++at;
          word_.push_back(
              {r, begin, at, measure_(runs_[r], std::string_view(text).substr(begin, at - begin))});
        }
      }
      if (runs_[r].line_break) {
        end_word();
        spaces_.clear();
        new_line();
      }
    }
    end_word();
    if (!at_line_start_ || flow_.lines == 0) new_line();
    return std::move(flow_);
  }

 private:
  void new_line() {
    ++flow_.lines;
    x_ = 0;
    at_line_start_ = true;
  }

  void place(const Part& part) {
    // Neighbours of the same run make one piece: fewer draw calls, and links underline across spaces.
    if (!flow_.pieces.empty()) {
      Piece& last = flow_.pieces.back();
      if (last.line == flow_.lines && last.run == part.run && last.end == part.begin) {
        last.end = part.end;
        last.width += part.width;
        x_ += part.width;
        flow_.width = std::max(flow_.width, x_);
        return;
      }
    }
    flow_.pieces.push_back({part.run, part.begin, part.end, x_, part.width, flow_.lines});
    x_ += part.width;
    flow_.width = std::max(flow_.width, x_);
  }

  void end_word() {
    if (word_.empty()) return;
    float word_width = 0, space_width = 0;
    for (const Part& part : word_) word_width += part.width;
    for (const Part& space : spaces_) space_width += space.width;
    if (at_line_start_) {
      space_width = 0;
    } else if (x_ + space_width + word_width > max_width_) {
      new_line();
      space_width = 0;
    }
    if (!at_line_start_) {
      // Only the first space shows; a run of spaces is one space, as in HTML.
      if (!spaces_.empty())
        place({spaces_.front().run, spaces_.front().begin, spaces_.front().begin + 1, spaces_.front().width});
    }
    spaces_.clear();
    if (x_ + word_width <= max_width_) {
      for (const Part& part : word_) place(part);
    } else {
      for (const Part& part : word_) place_broken(part);
    }
    at_line_start_ = false;
    word_.clear();
  }

  void place_broken(const Part& part) {
    const std::string_view text = runs_[part.run].text;
    size_t begin = part.begin;
    while (begin < part.end) {
      size_t end = next_code_point(text, begin);
      float width = measure_(runs_[part.run], text.substr(begin, end - begin));
      while (end < part.end) {
        const size_t further = next_code_point(text, end);
        const float wider = measure_(runs_[part.run], text.substr(begin, further - begin));
        if (x_ + wider > max_width_) break;
        end = further;
        width = wider;
      }
      if (x_ > 0 && x_ + width > max_width_) {
        new_line();
        continue;
      }
      place({part.run, begin, end, width});
      begin = end;
      if (begin < part.end) new_line();
    }
  }

  const std::vector<Run>& runs_;
  const float max_width_;
  const Measure& measure_;
  Flow flow_;
  std::vector<Part> word_, spaces_;
  float x_ = 0;
  bool at_line_start_ = true;
};

}  // namespace

Flow flow_text(const std::vector<Run>& runs, float max_width, const Measure& measure, float first_indent) {
  return Flower(runs, max_width, measure, first_indent).run();
}

}  // namespace warpbook::ui
