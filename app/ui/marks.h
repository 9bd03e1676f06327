#pragma once
// Where each named widget was drawn in the last frame: how scripts and tests find a button without pixels.
#include <map>
#include <string>
#include <vector>

namespace warpbook::ui {

struct Mark {
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0;  ///< pixels of the window
  std::string region;                    ///< the ImGui window that scrolls it
  float region_top = 0, region_bottom = 0, region_scroll = 0, region_scroll_max = 0;
  std::string text;  ///< what it says, for expectations
  bool enabled = true;
};

/// A widget that the keyboard can stop at, in the order in which widgets are drawn.
struct Stop {
  unsigned id = 0;
  const void* window = nullptr;
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};

class Marks {
 public:
  void begin_frame();
  /// Names the item that was drawn last.
  void item(const std::string& name, const std::string& text = {}, bool enabled = true);
  /// Names an area.
  void area(const std::string& name, float x0, float y0, float x1, float y1, const std::string& text = {},
            bool enabled = true);
  const Mark* find(const std::string& name) const;
  const std::map<std::string, Mark>& all() const { return marks_; }

  /// Tab and Shift+Tab: the focus goes on by one stop, from the last to the first.
  void step_focus(int by);
  /// Called by a field in which Tab writes, in each frame in which it has the keyboard.
  void keep_tab() { tab_kept_ = true; }
  /// A ring around what has the keyboard's focus; at the end of a frame.
  void draw_focus(unsigned colour, float distance, float thickness, float rounding) const;

 private:
  void note_stop();

  std::map<std::string, Mark> marks_;
  std::vector<Stop> stops_, last_stops_;
  bool tab_kept_ = false, tab_was_kept_ = false;
  unsigned wanted_ = 0;  ///< takes the focus as soon as it is drawn
};

}  // namespace warpbook::ui
