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

class Marks {
 public:
  void begin_frame() { marks_.clear(); }
  /// Names the item that was drawn last.
  void item(const std::string& name, const std::string& text = {}, bool enabled = true);
  /// Names an area.
  void area(const std::string& name, float x0, float y0, float x1, float y1, const std::string& text = {},
            bool enabled = true);
  const Mark* find(const std::string& name) const;
  const std::map<std::string, Mark>& all() const { return marks_; }

 private:
  std::map<std::string, Mark> marks_;
};

}  // namespace warpbook::ui
