#include "ui/script.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace warpbook::ui {

namespace {

constexpr int patient_frames = 180;  // a widget may appear a little after what was clicked

}  // namespace

ScriptDriver::ScriptDriver(std::vector<Step> steps, ScriptActions actions)
    : steps_(std::move(steps)), actions_(std::move(actions)) {}

std::optional<std::string> ScriptDriver::take_screenshot() {
  return std::exchange(screenshot_, std::nullopt);
}

void ScriptDriver::fail(const Step& step, const std::string& why) {
  failure_ = fmt::format("step {}: {}", step.index, why);
}

void ScriptDriver::next() {
  ++at_;
  phase_ = patience_ = scrolls_ = idle_frames_ = 0;
}

const Mark* ScriptDriver::visible_mark(const Step& step, const Marks& marks) {
  const Mark* mark = marks.find(step.name);
  if (!mark) {
    if (++patience_ <= patient_frames) return nullptr;
    std::vector<std::string> known;
    for (const auto& [name, other] : marks.all()) known.push_back(name);
    const std::optional<std::string> near = nearest_word(step.name, known);
    fail(step, fmt::format("nothing on screen is called {}{}", step.name,
                           near ? "; did you mean " + *near + "?" : ""));
    return nullptr;
  }
  const float middle = (mark->y0 + mark->y1) / 2;
  const bool hidden = middle < mark->region_top + 4 || middle > mark->region_bottom - 4;
  // In its first frame a region does not know yet how far it scrolls.
  if (hidden && mark->region_scroll_max <= 0 && ++patience_ < 10) return nullptr;
  if (hidden && mark->region_scroll_max > 0 && scrolls_ < 4) {
    ++scrolls_;
    const float target = mark->region_scroll + middle - (mark->region_top + mark->region_bottom) / 2;
    scroll_region(mark->region, std::clamp(target, 0.0f, mark->region_scroll_max));
    phase_ = -2;  // two frames for the scroll to take place
    return nullptr;
  }
  return mark;
}

void ScriptDriver::before_frame(ScriptedInput& input, const Marks& marks, bool idle) {
  if (finished()) return;
  const Step& step = steps_[at_];
  if (phase_ < 0) {
    ++phase_;
    return;
  }
  switch (step.kind) {
    case Step::Kind::open:
      if (!actions_.open(step.name)) return fail(step, fmt::format("there is no lesson {}", step.name));
      return next();
    case Step::Kind::set:
      if (!actions_.set(step.name, step.number))
        return fail(step, fmt::format("the lab has no control {}", step.name));
      return next();
    case Step::Kind::theme: actions_.theme(step.name); return next();
    case Step::Kind::time_change:
      if (phase_ == 0) {
        if (!actions_.set(step.name, step.number))
          return fail(step, fmt::format("the lab has no control {}", step.name));
        ++phase_;
        return;
      }
      if (const std::optional<double> ms = actions_.answer_ms()) {
        actions_.print(fmt::format("{} = {}: {:.1f} ms to its picture", step.name, step.number, *ms));
        return next();
      }
      // A run that was refused or cancelled brings no picture.
      if (idle && ++patience_ > patient_frames)
        return fail(step, fmt::format("{} = {} brought no picture", step.name, step.number));
      return;
    case Step::Kind::time_frames:
      if (phase_++ > 0) frame_times_.push_back(actions_.frame_ms());
      if (int(frame_times_.size()) >= int(step.number)) {
        std::sort(frame_times_.begin(), frame_times_.end());
        actions_.print(fmt::format("{} frames: median {:.2f} ms, longest {:.2f} ms", frame_times_.size(),
                                   frame_times_[frame_times_.size() / 2], frame_times_.back()));
        frame_times_.clear();
        next();
      }
      return;
    case Step::Kind::export_view:
      if (phase_++ == 0) actions_.export_view(step.name);
      if (phase_ > 4 && idle) next();
      return;
    case Step::Kind::click:
    case Step::Kind::double_click:
    case Step::Kind::hover: {
      if (phase_ == 0) {
        const Mark* mark = visible_mark(step, marks);
        if (!mark) return;
        if (!mark->enabled && step.kind != Step::Kind::hover)
          return fail(step, fmt::format("{} is not enabled", step.name));
        input.move_mouse(mark->x0 + (mark->x1 - mark->x0) * step.x,
                         mark->y0 + (mark->y1 - mark->y0) * step.y);
      }
      ++phase_;
      if (step.kind == Step::Kind::hover) {
        if (phase_ > 3) next();
        return;
      }
      // ImGui takes one state of the button a frame: down and up need a frame each.
      if (phase_ == 3) input.press_button(true);
      if (phase_ == 4) input.press_button(false);
      if (step.kind == Step::Kind::double_click) {
        if (phase_ == 5) input.press_button(true);
        if (phase_ == 6) input.press_button(false);
      }
      if (phase_ >= 8) next();
      return;
    }
    case Step::Kind::type:
      if (phase_++ == 0) input.type(step.text);
      if (phase_ > 2) next();
      return;
    case Step::Kind::key:
      if (phase_ == 0) input.press_key(step.key, step.modifiers, true);
      if (phase_ == 1) input.press_key(step.key, step.modifiers, false);
      if (++phase_ > 3) next();
      return;
    case Step::Kind::wheel:
      if (phase_ == 0) input.turn_wheel(float(step.number));
      if (++phase_ > 4) next();
      return;
    case Step::Kind::drag:
      // In two moves, as a hand does: what follows the pointer must not count the first one twice.
      if (phase_ == 1) input.press_button(true);
      if (phase_ == 2 || phase_ == 3) input.move_mouse_by(step.x / 2, step.y / 2);
      if (phase_ == 5) input.press_button(false);
      if (++phase_ > 7) next();
      return;
    case Step::Kind::scroll: {
      const Mark* mark = marks.find(step.name);
      if (!mark) {
        visible_mark(step, marks);
        return;
      }
      if (phase_ == 0) {
        // The widget's top a little below the region's.
        const float target = mark->region_scroll + mark->y0 - mark->region_top -
                             (mark->region_bottom - mark->region_top) * 0.06f;
        scroll_region(mark->region, std::clamp(target, 0.0f, mark->region_scroll_max));
      }
      if (++phase_ > 3) next();
      return;
    }
    case Step::Kind::wait_idle:
      idle_frames_ = idle ? idle_frames_ + 1 : 0;
      if (idle_frames_ >= 4) next();
      return;
    case Step::Kind::wait_frames:
      if (++phase_ >= int(step.number)) next();
      return;
    case Step::Kind::screenshot: screenshot_ = step.name; return next();
    case Step::Kind::expect: {
      const auto says = [&step](const Mark& mark) { return mark.text.find(step.text) != std::string::npos; };
      bool holds = false;
      std::string found = "nothing is called that";
      if (!step.name.empty()) {
        const Mark* mark = marks.find(step.name);
        holds = mark && says(*mark);
        if (mark) found = "it says: " + mark->text;
      } else {
        found = "no widget says so";
        for (const auto& [name, mark] : marks.all()) holds = holds || says(mark);
      }
      if (holds != step.absent) return next();
      if (++patience_ > patient_frames) {
        fail(step, fmt::format("expected {}{}{}; {}", step.absent ? "no " : "",
                               step.name.empty() ? "text" : step.name,
                               step.text.empty() ? "" : " with \"" + step.text + "\"",
                               step.absent ? "it is there" : found));
      }
      return;
    }
  }
}

}  // namespace warpbook::ui
