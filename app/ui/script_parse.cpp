// JSON to steps.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/text.h"
#include "ui/script.h"

namespace warpbook::ui {

namespace {

using Json = nlohmann::ordered_json;

struct NamedKey {
  std::string_view name;
  Key key;
};
constexpr NamedKey named_keys[] = {
    {"enter", Key::enter},         {"escape", Key::escape}, {"tab", Key::tab},
    {"backspace", Key::backspace}, {"delete", Key::del},    {"left", Key::left},
    {"right", Key::right},         {"up", Key::up},         {"down", Key::down},
    {"home", Key::home},           {"end", Key::end},       {"pageup", Key::page_up},
    {"pagedown", Key::page_down},  {"space", Key::space},   {"plus", Key::equal},
    {"minus", Key::minus},         {"slash", Key::slash},   {"f1", Key::f1}};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? char(c + 32) : c;
  return out;
}

/// [across, down] into the step. False: it is something else.
bool take_pair(const Json& pair, Step& step) {
  if (!pair.is_array() || pair.size() != 2 || !pair[0].is_number() || !pair[1].is_number()) return false;
  step.x = pair[0].get<float>();
  step.y = pair[1].get<float>();
  return true;
}

Result<Step> parse_step(const Json& json, int index) {
  const auto wrong = [index](const std::string& what) {
    return Error{fmt::format("step {}: {}", index, what), Trouble::bad_input, {}, {}};
  };
  if (!json.is_object() || json.empty()) return wrong("a step is an object such as {\"click\": \"lab.run\"}");
  Step step;
  step.index = index;
  const std::string verb = json.begin().key();
  const Json& what = json.begin().value();
  struct Verb {
    std::string_view name;
    Step::Kind kind;
  };
  static constexpr Verb by_name[] = {{"open", Step::Kind::open},
                                     {"click", Step::Kind::click},
                                     {"double_click", Step::Kind::double_click},
                                     {"hover", Step::Kind::hover},
                                     {"scroll", Step::Kind::scroll},
                                     {"screenshot", Step::Kind::screenshot},
                                     {"theme", Step::Kind::theme},
                                     {"export", Step::Kind::export_view}};
  for (const Verb& known : by_name) {
    if (verb != known.name) continue;
    if (!what.is_string()) return wrong(fmt::format("\"{}\" takes a name in quotes", verb));
    step.kind = known.kind;
    step.name = what.get<std::string>();
    if (const auto at = json.find("at"); at != json.end() && !take_pair(*at, step))
      return wrong("\"at\" is two numbers from 0 to 1");
    if (step.kind == Step::Kind::theme && step.name != "light" && step.name != "dark")
      return wrong("the theme is light or dark");
    if (step.kind == Step::Kind::export_view && Path(step.name).extension() != ".png" &&
        Path(step.name).extension() != ".csv")
      return wrong("\"export\" takes a file name that ends with .png or .csv");
    return step;
  }
  if (verb == "set" || verb == "time") {
    if (!what.is_object() || !what.contains("control") || !what["control"].is_string() ||
        !what.contains("value") || !what["value"].is_number_integer()) {
      return wrong(fmt::format("\"{}\" takes {{\"control\": NAME, \"value\": WHOLE NUMBER}}", verb));
    }
    step.kind = verb == "set" ? Step::Kind::set : Step::Kind::time_change;
    step.name = what["control"].get<std::string>();
    step.number = what["value"].get<int64_t>();
    return step;
  }
  if (verb == "type") {
    if (!what.is_string()) return wrong("\"type\" takes a text in quotes");
    step.kind = Step::Kind::type;
    step.text = what.get<std::string>();
    return step;
  }
  if (verb == "key") {
    if (!what.is_string()) return wrong("\"key\" takes a name such as \"Ctrl+Enter\"");
    const auto key = parse_key(what.get<std::string>());
    if (!key) return wrong(key.error().message);
    step.kind = Step::Kind::key;
    step.key = key->first;
    step.modifiers = key->second;
    return step;
  }
  if (verb == "wheel") {
    if (!what.is_number_integer()) return wrong("\"wheel\" takes a whole number of notches");
    step.kind = Step::Kind::wheel;
    step.number = what.get<int64_t>();
    return step;
  }
  if (verb == "drag") {
    if (!take_pair(what, step)) return wrong("\"drag\" takes two numbers, how far right and down");
    step.kind = Step::Kind::drag;
    return step;
  }
  if (verb == "frames") {
    if (!what.is_number_integer() || what.get<int64_t>() < 1 || what.get<int64_t>() > 100000)
      return wrong("\"frames\" takes a number of frames");
    step.kind = Step::Kind::time_frames;
    step.number = what.get<int64_t>();
    return step;
  }
  if (verb == "wait") {
    if (what.is_string() && what.get<std::string>() == "idle") {
      step.kind = Step::Kind::wait_idle;
      return step;
    }
    if (!what.is_number_integer() || what.get<int64_t>() < 1)
      return wrong("\"wait\" takes \"idle\" or a number of frames");
    step.kind = Step::Kind::wait_frames;
    step.number = what.get<int64_t>();
    return step;
  }
  if (verb == "expect") {
    if (!what.is_object()) return wrong("\"expect\" takes {\"mark\": NAME, \"text\": PART}");
    step.kind = Step::Kind::expect;
    for (const auto& [key, value] : what.items()) {
      if (key == "mark" && value.is_string()) {
        step.name = value.get<std::string>();
      } else if (key == "text" && value.is_string()) {
        step.text = value.get<std::string>();
      } else if (key == "absent" && value.is_boolean()) {
        step.absent = value.get<bool>();
      } else {
        return wrong(fmt::format("\"expect\" knows mark, text and absent, not {}", key));
      }
    }
    if (step.name.empty() && step.text.empty()) return wrong("\"expect\" needs a mark or a text");
    return step;
  }
  static const std::vector<std::string> verbs = {
      "open", "click", "double_click", "hover",      "set",   "type",   "key",  "scroll", "wheel",
      "drag", "wait",  "expect",       "screenshot", "theme", "export", "time", "frames"};
  const std::optional<std::string> near = nearest_word(verb, verbs);
  return wrong(fmt::format("\"{}\" is no step{}", verb,
                           near ? "; did you mean \"" + *near + "\"?" : "; known are " + join(verbs, ", ")));
}

}  // namespace

Result<std::pair<Key, Modifiers>> parse_key(std::string_view words) {
  Modifiers modifiers;
  std::string_view rest = words;
  while (true) {
    const size_t plus = rest.find('+');
    if (plus == std::string_view::npos || plus + 1 == rest.size()) break;
    const std::string modifier = lower(rest.substr(0, plus));
    if (modifier == "ctrl") {
      modifiers.control = true;
    } else if (modifier == "shift") {
      modifiers.shift = true;
    } else if (modifier == "alt") {
      modifiers.alt = true;
    } else {
      return Error{
          fmt::format("there is no key {} to hold", rest.substr(0, plus)), Trouble::bad_input, {}, {}};
    }
    rest = rest.substr(plus + 1);
  }
  const std::string name = lower(rest);
  for (const NamedKey& known : named_keys) {
    if (name == known.name) return std::pair{known.key, modifiers};
  }
  if (name.size() == 1) {
    const char c = name[0] >= 'a' && name[0] <= 'z' ? char(name[0] - 32) : name[0];
    if ((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' || c == '-' || c == '=')
      return std::pair{Key(int(c)), modifiers};
  }
  if (name.size() >= 2 && name[0] == 'f') {
    if (const auto number = parse_int(name.substr(1)); number && *number >= 1 && *number <= 12)
      return std::pair{Key(int(Key::f1) + int(*number) - 1), modifiers};
  }
  return Error{fmt::format("there is no key {}", rest), Trouble::bad_input, {}, {}};
}

Result<std::vector<Step>> parse_script(std::string_view json, const std::string& file) {
  Json script;
  try {
    script = Json::parse(json);
  } catch (const Json::parse_error& broken) {
    const size_t byte = std::min<size_t>(broken.byte, json.size());
    int line = 1, column = 1;
    for (size_t i = 0; i + 1 < byte; ++i) {
      column = json[i] == '\n' ? 1 : column + 1;
      line += json[i] == '\n';
    }
    return Error{"the script is no JSON", Trouble::bad_input, {file, line, column}, broken.what()};
  }
  const Json* steps = script.is_array()                                ? &script
                      : script.is_object() && script.contains("steps") ? &script["steps"]
                                                                       : nullptr;
  if (!steps || !steps->is_array())
    return Error{"a script is {\"steps\": [...]}", Trouble::bad_input, {file, 1, 1}, {}};
  std::vector<Step> parsed;
  for (const Json& one : *steps) {
    Result<Step> step = parse_step(one, int(parsed.size()) + 1);
    if (!step) {
      Error error = step.error();
      error.where.file = file;
      return error;
    }
    parsed.push_back(std::move(*step));
  }
  return parsed;
}

}  // namespace warpbook::ui
