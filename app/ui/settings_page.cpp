// Settings, as a page like any other.
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "ui/imgui_compat.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace warpbook::ui {

namespace {

void row_title(Look& look, const char* title, const char* words) {
  gap(look, 24);
  wrapped(look, title, look.fonts.h3, look.colours.ink);
  if (*words) caption(look, words, look.colours.muted);
  gap(look, 8);
}

/// What runs kernels: the choice of --device, by the GPU's own number and name.
void draw_engine_choice(Frame& frame) {
  Look& look = frame.look;
  Workbook& book = frame.book;
  look_for_gpus(book);
  const std::string& asked = book.session->options.device;
  struct Choice {
    std::string device, words;
  };
  std::vector<Choice> choices = {
      {"auto", book.gpus_here.empty() ? "Automatic: the emulator, as there is no GPU" : "Automatic"},
      {"emulated", "Emulator"}};
  for (const FoundGpu& gpu : book.gpus_here)
    choices.push_back({"cuda:" + uuid_text(gpu.uuid),
                       fmt::format("GPU {}: {} (compute {})", gpu.number, gpu.name, gpu.compute)});
  size_t chosen = asked == "emulated" ? 1 : 0;
  const int number = number_of(*book.session, book.gpus_here);
  for (size_t i = 0; i < book.gpus_here.size(); ++i)
    if (asked != "auto" && book.gpus_here[i].number == number) chosen = i + 2;
  ImGui::SetNextItemWidth(look.dp(320));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(look.dp(8), look.dp(8)));
  if (ImGui::BeginCombo("###settings.engine", choices[chosen].words.c_str())) {
    for (size_t i = 0; i < choices.size(); ++i) {
      const bool picked = ImGui::Selectable(choices[i].words.c_str(), i == chosen);
      look.marks.item(fmt::format("settings.engine.{}", i), choices[i].words);
      if (picked) book.engine_wanted = choices[i].device;
    }
    ImGui::EndCombo();
  }
  ImGui::PopStyleVar();
  look.marks.item("settings.engine", choices[chosen].words);
  if (book.gpus_here.empty()) {
    gap(look, 4);
    caption(look, book.no_gpus_here, look.colours.muted);
  }
}

}  // namespace

void draw_settings(Frame& frame) {
  Look& look = frame.look;
  Workbook& book = frame.book;
  Settings& settings = book.settings;
  const auto changed = [&book](bool look_too) {
    if (!book.settings_changed) book.changed_at = book.now;
    book.settings_changed = true;
    book.look_changed = book.look_changed || look_too;
  };
  wrapped(look, "Settings", look.fonts.h1, look.colours.ink);

  row_title(look, "Colours", "");
  const std::vector<std::string> themes = {"light", "dark", "system"};
  const int theme = int(std::find(themes.begin(), themes.end(), settings.theme) - themes.begin());
  if (const int now = segmented(look, "settings.theme", {"Light", "Dark", "As the desktop"}, theme);
      now != theme) {
    settings.theme = themes[size_t(now)];
    changed(true);
  }

  row_title(look, "Size of text", "Ctrl+Plus and Ctrl+Minus do the same");
  if (button(look, "settings.smaller", "Smaller") && settings.font_step > -4) {
    settings.font_step -= 1;
    changed(true);
  }
  ImGui::SameLine();
  if (button(look, "settings.larger", "Larger") && settings.font_step < 10) {
    settings.font_step += 1;
    changed(true);
  }
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  caption(look, fmt::format("{:.0f} %", 100 * (1 + 0.1f * settings.font_step)), look.colours.muted);

  if (book.session) {
    row_title(look, "Engine", "What runs kernels. Counters and checks come from the emulator in any case.");
    draw_engine_choice(frame);
  }

  row_title(look, "GPU",
            "Whose limits hold for launches. No such card is needed: kernels run on the emulator.");
  if (book.session) {
    ImGui::SetNextItemWidth(look.dp(320));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(look.dp(8), look.dp(8)));
    if (ImGui::BeginCombo("###settings.gpu", book.gpu.name.c_str())) {
      for (const GpuRow& gpu : book.session->gpus) {
        if (ImGui::Selectable(fmt::format("{}  (compute {})", gpu.name, gpu.compute).c_str(),
                              gpu.name == book.gpu.name)) {
          book.gpu = gpu;
          settings.gpu = gpu.name;
          changed(false);
        }
        look.marks.item("settings.gpu." + gpu.name, gpu.name);
      }
      ImGui::EndCombo();
    }
    ImGui::PopStyleVar();
    look.marks.item("settings.gpu", book.gpu.name);
  }

  row_title(look, "Motion", "Only where it explains something");
  if (const int now = segmented(look, "settings.motion", {"On", "Off"}, settings.motion ? 0 : 1);
      (now == 0) != settings.motion) {
    settings.motion = now == 0;
    changed(false);
  }

  row_title(look, "Your work", "Plain files; keep them, copy them, put them under version control.");
  if (book.keep_nothing) {
    caption(look, "Nothing is kept in this session.", look.colours.warning);
  } else {
    wrapped(look, book.progress_file.string(), look.fonts.mono_small, look.colours.ink);
    wrapped(look, (book.session->folders.data / "exercises").string(), look.fonts.mono_small,
            look.colours.ink);
  }
  row_title(
      look, "Pictures and tables",
      "Where PNG, CSV and the report of your progress go; a folder, or empty for the one that is shown.");
  ImGui::SetNextItemWidth(look.dp(480));
  if (ImGui::InputTextWithHint("###settings.exports", (book.session->folders.data / "exports").c_str(),
                               &settings.export_folder))
    changed(false);
  look.marks.item("settings.exports", settings.export_folder);
  if (!settings.export_folder.empty() && !Path(settings.export_folder).is_absolute())
    caption(look, "A whole path, please: one that begins with /", look.colours.warning);
  gap(look, 16);
  row_title(look, "About", "");
  caption(look, fmt::format("Engine: {}", book.engine), look.colours.muted);
  if (book.session && book.session->compiler) {
    const CompilerPlace& place = book.session->compiler->place();
    caption(look,
            place.library.empty() ? std::string("Compiler: none found")
                                  : fmt::format("Compiler: NVRTC {} from {}", place.version, place.library),
            look.colours.muted);
  }
  gap(look, 40);
}

}  // namespace warpbook::ui
