#include "platform/key_queue.h"

#include <algorithm>
#include <vector>

namespace warpbook::platform {

void KeyQueue::play_frame(const std::function<void(const KeyEvent&)>& apply) {
  bool pressed = false, wrote = false;  // a key that acts, keys that write
  std::vector<int> released;            // up and down again in one frame would look as if held all the time
  while (!events_.empty()) {
    const KeyEvent event = events_.front();
    switch (event.kind) {
      case KeyEvent::Kind::press:
        if (pressed) return;
        if (!event.is_text && std::find(released.begin(), released.end(), event.key) != released.end())
          return;
        // Ctrl held would make ImGui drop the letters before it; Enter would overtake them.
        if (wrote && !event.is_text && !event.is_shift) return;
        pressed = !event.is_text && !event.is_modifier;
        wrote = wrote || event.is_text;
        break;
      case KeyEvent::Kind::release:
        if (pressed) return;
        released.push_back(event.key);
        break;
      case KeyEvent::Kind::character: wrote = true; break;
    }
    events_.pop_front();
    apply(event);
  }
}

}  // namespace warpbook::platform
