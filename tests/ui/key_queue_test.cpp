// No key is lost between two frames, and none overtakes another.
#include "platform/key_queue.h"

#include <string>

#include "catch.h"

using namespace warpbook::platform;

namespace {

constexpr int shift = 340, control = 341, enter = 257;

KeyEvent event(KeyEvent::Kind kind, int key, bool text = false) {
  return {kind, key, 0, 0, key == shift || key == control, key == shift, text, 0};
}
KeyEvent press(int key, bool text = false) { return event(KeyEvent::Kind::press, key, text); }
KeyEvent release(int key, bool text = false) { return event(KeyEvent::Kind::release, key, text); }
KeyEvent character(char c) {
  KeyEvent written = event(KeyEvent::Kind::character, 0);
  written.code_point = uint32_t(c);
  return written;
}
void letter(KeyQueue& queue, char c) {
  queue.push(press(c, true));
  queue.push(character(c));
  queue.push(release(c, true));
}

std::string frame(KeyQueue& queue) {
  std::string seen;
  queue.play_frame([&](const KeyEvent& event) {
    if (event.kind == KeyEvent::Kind::character) {
      seen += char(event.code_point);
    } else {
      seen += (event.kind == KeyEvent::Kind::press ? "+" : "-") + std::to_string(event.key);
    }
  });
  return seen;
}

}  // namespace

TEST_CASE("a key that goes down and up at once is seen for a frame") {
  KeyQueue queue;
  queue.push(press(1));
  queue.push(release(1));
  CHECK(frame(queue) == "+1");
  CHECK_FALSE(queue.empty());
  CHECK(frame(queue) == "-1");
  CHECK(queue.empty());
  CHECK(frame(queue).empty());
}

TEST_CASE("a modifier is still held in the frame of its key") {
  KeyQueue queue;
  queue.push(press(control));
  queue.push(press(75));
  queue.push(release(75));
  queue.push(release(control));
  CHECK(frame(queue) == "+341+75");
  CHECK(frame(queue) == "-75-341");
}

TEST_CASE("fast typing goes into one frame, with its capitals") {
  KeyQueue queue;
  letter(queue, 'a');
  queue.push(press(shift));
  letter(queue, 'B');
  queue.push(release(shift));
  letter(queue, 'c');
  CHECK(frame(queue) == "+97a-97+340+66B-66-340+99c-99");
  CHECK(queue.empty());
}

TEST_CASE("letters and Enter keep their order") {
  KeyQueue queue;
  letter(queue, 'a');
  queue.push(press(enter));
  queue.push(release(enter));
  letter(queue, 'b');
  CHECK(frame(queue) == "+97a-97");
  CHECK(frame(queue) == "+257");
  CHECK(frame(queue) == "-257+98b-98");
}

TEST_CASE("a key pressed twice between two frames is seen twice") {
  KeyQueue queue;
  for (int i = 0; i < 2; ++i) {
    queue.push(press(enter));
    queue.push(release(enter));
  }
  CHECK(frame(queue) == "+257");
  CHECK(frame(queue) == "-257");
  CHECK(frame(queue) == "+257");
  CHECK(frame(queue) == "-257");
}

TEST_CASE("Ctrl pressed after letters does not swallow them") {
  KeyQueue queue;
  letter(queue, 'a');
  queue.push(press(control));
  queue.push(press(75));
  CHECK(frame(queue) == "+97a-97");
  CHECK(frame(queue) == "+341+75");
}
