// settings.json: one flat object.
#include <cmath>
#include <nlohmann/json.hpp>

#include "lesson/kept_json.h"
#include "lesson/progress.h"

namespace warpbook {

using nlohmann::ordered_json;

namespace {

constexpr int settings_version = 1;

ordered_json written(const Settings& settings) {
  const auto finite = [](float number) { return std::isfinite(number) ? number : 0.0f; };
  ordered_json json;
  json["version"] = settings_version;
  json["theme"] = settings.theme;
  json["scale"] = finite(settings.scale);
  json["font_step"] = finite(settings.font_step);
  json["gpu"] = settings.gpu;
  json["device"] = settings.device;
  json["locale"] = settings.locale;
  json["motion"] = settings.motion;
  json["page_width"] = finite(settings.page_width);
  json["lab_width"] = finite(settings.lab_width);
  json["contents_folded"] = settings.contents_folded;
  json["export_folder"] = settings.export_folder;
  json["window_width"] = settings.window_width;
  json["window_height"] = settings.window_height;
  return json;
}

/// An engine as --device names it: a word, or cuda:GPU.
std::string engine_at(const JsonNode& node, const std::string& fallback) {
  const std::string text = node.text(fallback);
  if (text == "auto" || text == "emulated" || text == "cuda" ||
      (text.rfind("cuda:", 0) == 0 && text.size() > 5))
    return text;
  node.fail("expected auto, emulated, cuda, or cuda: and a GPU.");
  return fallback;
}

/// One of the words, else a failure at the node.
std::string one_of(const JsonNode& node, const std::string& fallback, const std::vector<std::string>& words) {
  const std::string text = node.text(fallback);
  std::string list;
  for (const std::string& word : words) {
    if (text == word) return text;
    list += (list.empty() ? "" : ", ") + word;
  }
  node.fail("expected one of " + list + ".");
  return fallback;
}

float within(const JsonNode& node, float fallback, float min, float max) {
  const double number = node.number(double(fallback));
  if (number < double(min) || number > double(max)) {
    node.fail("expected a number from " + std::to_string(int(min)) + " to " + std::to_string(int(max)) + ".");
    return fallback;
  }
  return float(number);
}

}  // namespace

Result<Settings> load_settings(const Path& file) {
  const auto reader = open_versioned(file, settings_version, "settings");
  if (!reader) return reader.error();
  Settings settings;
  if (!*reader) return settings;
  JsonObject root((*reader)->root());
  settings.theme = one_of(root.get("theme"), settings.theme, {"light", "dark", "system"});
  settings.scale = within(root.get("scale"), settings.scale, 0, 16);
  settings.font_step = within(root.get("font_step"), settings.font_step, -20, 20);
  settings.gpu = root.get("gpu").text(settings.gpu);
  settings.device = engine_at(root.get("device"), settings.device);
  settings.locale = root.get("locale").text(settings.locale);
  settings.motion = root.get("motion").boolean(settings.motion);
  settings.page_width = within(root.get("page_width"), settings.page_width, 0, 20000);
  settings.lab_width = within(root.get("lab_width"), settings.lab_width, 0, 20000);
  settings.contents_folded = root.get("contents_folded").boolean(settings.contents_folded);
  settings.export_folder = root.get("export_folder").text(settings.export_folder);
  settings.window_width = int(root.get("window_width").integer(settings.window_width, 1, 65536));
  settings.window_height = int(root.get("window_height").integer(settings.window_height, 1, 65536));
  if ((*reader)->failed()) return (*reader)->error();
  std::vector<std::string> known;
  const ordered_json defaults = written(Settings{});
  for (const auto& [key, value] : defaults.items()) known.push_back("/" + key);
  settings.unknown = unknown_parts((*reader)->root().dump(), known);
  return settings;
}

Result<Done> save_settings(const Path& file, const Settings& settings) {
  return write_versioned(file, settings_version, "settings",
                         written(settings).dump(-1, ' ', false, ordered_json::error_handler_t::replace),
                         settings.unknown);
}

}  // namespace warpbook
