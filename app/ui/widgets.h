#pragma once
// The few widgets that every page is made of, each noting its name for scripts and tests.
#include <string>
#include <string_view>
#include <vector>

#include "result/diagnosis.h"
#include "result/times.h"
#include "ui/look.h"

namespace warpbook::ui {

enum class ButtonKind { plain, primary, quiet };

/// A button; `name` is its mark and its ImGui identity. Disabled ones stay visible and say why on hover.
bool button(Look& look, const std::string& name, const std::string& label,
            ButtonKind kind = ButtonKind::plain, bool enabled = true, const std::string& hover = {},
            float width = 0);
/// A square button with one sign.
bool icon_button(Look& look, const std::string& name, const char* sign, const std::string& hover);
/// Tabs as text with an underline; returns the chosen one.
int tab_strip(Look& look, const std::string& name, const std::vector<std::string>& labels, int chosen);
/// Joined buttons, one of them chosen; -1 = none yet.
int segmented(Look& look, const std::string& name, const std::vector<std::string>& labels, int chosen,
              bool enabled = true, float height = 32);
/// Check mark or round mark with wrapped text behind it.
bool choice_row(Look& look, const std::string& name, bool round, bool chosen, const std::string& text,
                bool enabled);

/// A number's source: filled, outlined or dotted.
void stamp_chip(Look& look, const std::string& name, Stamp stamp, const std::string& text,
                const std::string& hover);
void plain_chip(Look& look, const std::string& name, const std::string& text, Colour ground, Colour ink,
                const std::string& hover = {});

void caption(Look& look, const std::string& text, Colour colour);
void wrapped(Look& look, const std::string& text, ImFont* font, Colour colour, float width = 0);
/// The text, cut to a width in pixels with an ellipsis.
std::string fitted(ImFont* font, const std::string& text, float width);
void gap(Look& look, float height);
void rule(Look& look);
void hover_text(Look& look, const std::string& text);
void tooltip(Look& look, const std::string& text);

/// The motif: 32 lanes, the first `lit` of them in colour.
void lane_strip(Look& look, float x, float y, float width, float height, int lit, Colour on, Colour off);
/// A thin bar; share below 0 runs as unknown length.
void progress_bar(Look& look, float share, float width);

/// A card around everything between the two calls: ground and border are drawn behind the content.
class Card {
 public:
  Card(Look& look, const std::string& name, float width, Colour ground, Colour border, float padding = 16,
       Colour stripe = 0);
  ~Card();
  float inner_width() const { return inner_width_; }
  Card(const Card&) = delete;
  Card& operator=(const Card&) = delete;

 private:
  Look& look_;
  std::string name_;
  float width_, inner_width_ = 0, padding_, saved_right_ = 0, saved_content_ = 0;
  Colour ground_, border_, stripe_;
  ImVec2 start_;
  ImDrawListSplitter splitter_;
};

Colour colour_of(const Look& look, Severity severity);

}  // namespace warpbook::ui
