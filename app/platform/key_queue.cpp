#include "platform/key_queue.h"

namespace warpbook::platform {

void KeyQueue::play_frame(const std::function<void(const KeyEvent&)>& apply) {
  bool pressed = false, wrote = false;  // a key that acts, keys that write
  while (!events_.empty()) {
    const KeyEvent event = events_.front();
    switch (event.kind) {
      case KeyEvent::Kind::press:
        if (pressed) return;
        // Ctrl held would make ImGui drop the letters before it; Enter would overtake them.
        if (wrote && !event.is_text && !event.is_shift) return;
        pressed = !event.is_text && !event.is_modifier;
        wrote = wrote || event.is_text;
        break;
      case KeyEvent::Kind::release:
        if (pressed) return;
        break;
      case KeyEvent::Kind::character: wrote = true; break;
    }
    events_.pop_front();
    apply(event);
  }
}

}  // namespace warpbook::platform
