#pragma once
// Key events in the order in which they came, given out so that none is lost: ImGui 1.86 looks at the
// keyboard once a frame, and a key that went down and up between two looks never was. (From 1.87 on ImGui
// keeps such a queue itself.)
#include <cstdint>
#include <deque>
#include <functional>

namespace warpbook::platform {

struct KeyEvent {
  enum class Kind : uint8_t { press, release, character };
  Kind kind = Kind::press;
  int key = 0, scancode = 0, modifiers = 0;
  bool is_modifier = false;  ///< Shift, Ctrl, Alt, Super
  bool is_shift = false;
  bool is_text = false;  ///< a key that only writes: a letter without Ctrl or Alt
  uint32_t code_point = 0;
};

class KeyQueue {
 public:
  void push(const KeyEvent& event) { events_.push_back(event); }
  bool empty() const { return events_.empty(); }
  /// What one frame may see: at most one press of a key that is no modifier, and nothing after it but its
  /// character.
  void play_frame(const std::function<void(const KeyEvent&)>& apply);

 private:
  std::deque<KeyEvent> events_;
};

}  // namespace warpbook::platform
