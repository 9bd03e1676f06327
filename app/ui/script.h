#pragma once
// Scripts: steps that a person could do, by the names of widgets, for tests and for the pictures of the
// README.
//
// {"steps": [{"open": "02-hello-grid"}, {"click": "lab.run"}, {"double_click": NAME}, {"hover": NAME, "at":
// [0.5, 0.5]},
//   {"set": {"control": "block.x", "value": 33}}, {"type": "text"}, {"key": "Ctrl+Enter"}, {"scroll": NAME},
//   {"wheel": -3}, {"drag": [-60, 40]}, {"wait": "idle"}, {"wait": 10}, {"expect": {"mark": NAME, "text":
//   "part"}},
//   {"expect": {"mark": NAME, "absent": true}}, {"screenshot": "FILE.png"}, {"theme": "dark"},
//   {"export": "FILE.png"}]}
// "drag" is in pixels from where the pointer is. {"time": {"control": NAME, "value": N}} sets a control,
// waits until its picture is drawn and prints how long that took; {"frames": N} draws N frames and prints how
// long one takes. "export" keeps the view that is shown: FILE.png as a picture, FILE.csv as its numbers.
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ui/imgui_compat.h"
#include "ui/marks.h"

namespace warpbook::ui {

struct Step {
  enum class Kind {
    open,
    click,
    double_click,
    hover,
    set,
    type,
    key,
    scroll,
    wheel,
    drag,
    wait_idle,
    wait_frames,
    expect,
    screenshot,
    theme,
    export_view,
    time_change,
    time_frames
  };
  Kind kind = Kind::wait_idle;
  std::string name;          ///< mark, control, slug, file, theme
  std::string text;          ///< to type, to expect
  int64_t number = 0;        ///< value, frames
  float x = 0.5f, y = 0.5f;  ///< where in the widget, 0..1; of a drag, how far
  bool absent = false;
  Key key = Key::escape;
  Modifiers modifiers;
  int index = 0;  ///< of the step, from 1, for messages
};

/// Errors name the step, what was found and what is known.
Result<std::vector<Step>> parse_script(std::string_view json, const std::string& file);
/// "Ctrl+Shift+K", "F1", "Enter".
Result<std::pair<Key, Modifiers>> parse_key(std::string_view words);

/// What a script may do besides mouse and keyboard.
struct ScriptActions {
  std::function<bool(const std::string& slug)> open;
  std::function<bool(const std::string& control, int64_t value)> set;
  std::function<void(const std::string& theme)> theme;
  std::function<void(const std::string& file)> export_view;
  /// Milliseconds from the last change to its picture; nullopt while that is not on screen.
  std::function<std::optional<double>()> answer_ms;
  /// Milliseconds that the last frame took.
  std::function<double()> frame_ms;
  std::function<void(const std::string& line)> print;
};

class ScriptDriver {
 public:
  ScriptDriver(std::vector<Step> steps, ScriptActions actions);
  /// Once a frame, before ImGui::NewFrame, with the marks of the last frame. `idle`: no run is going on or
  /// waiting.
  void before_frame(ScriptedInput& input, const Marks& marks, bool idle);
  bool finished() const { return at_ >= steps_.size() || !failure_.empty(); }
  /// Why it stopped; empty = it did not.
  const std::string& failure() const { return failure_; }
  /// A picture is wanted of the frame that comes now.
  std::optional<std::string> take_screenshot();

 private:
  void fail(const Step& step, const std::string& why);
  /// The mark, scrolled into sight; null while it has to be waited for.
  const Mark* visible_mark(const Step& step, const Marks& marks);
  void next();

  std::vector<Step> steps_;
  ScriptActions actions_;
  size_t at_ = 0;
  int phase_ = 0, patience_ = 0, scrolls_ = 0, idle_frames_ = 0;
  std::vector<double> frame_times_;
  std::string failure_;
  std::optional<std::string> screenshot_;
};

}  // namespace warpbook::ui
