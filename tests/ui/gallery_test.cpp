// Every widget on one sheet, drawn in memory: it works without a display, twice the same, and looks as
// recorded.
#include <cstdlib>

#include "catch.h"
#include "golden.h"
#include "gui.h"
#include "platform/window.h"
#include "ui/code_editor.h"
#include "ui/document_view.h"
#include "ui/widgets.h"

using namespace warpbook;
using namespace warpbook::ui;

namespace {

constexpr const char* sample_code =
    "// One thread an element: ação\n__global__ void scale(float* out, int n)\n{\n    int i = blockIdx.x * "
    "blockDim.x + threadIdx.x;\n"
    "    if (i < n) out[i] = 2.5f * i;\n}\n";

constexpr const char* sample_page =
    "# A heading, 28\n\nProse with **bold**, *italic*, `inline code` and [a link](glossary.md), long enough "
    "to wrap over "
    "the end of its line.\n\n- one\n- two, with $x \\le 2^n$\n\n1. first\n2. second\n\n> A quotation.\n\n"
    "| name | value |\n|---|---|\n| sectors | 1,024 |\n| lanes | 32 |\n\n```cuda\nint i = "
    "threadIdx.x;\n```\n";

class Sheet {
 public:
  Sheet(float scale, bool dark) {
    Result<std::unique_ptr<Surface>> made =
        platform::make_surface({true, int(900 * scale), int(1040 * scale), scale, "", {}});
    if (!made) {
      WARN("no picture in memory here: " << to_string(made.error()));
      return;
    }
    surface_ = std::move(*made);
    document_ = parse_document(sample_page, "sample").value();
    gui_ = std::make_unique<Gui>(scale, 900 * scale, 1040 * scale, plain_text(document_));
    gui_->look.colours = dark ? dark_palette() : light_palette();
    apply_style(gui_->look.colours, scale);
    REQUIRE(surface_->attach().ok());
    editor_.set(sample_code);
  }
  ~Sheet() {
    if (surface_) surface_->detach();
  }
  bool usable() const { return surface_ != nullptr; }
  std::string renderer() const { return surface_->renderer(); }

  Picture draw() {
    for (int i = 0; i < 3; ++i) {
      surface_->begin_frame();
      gui_->frame([this] { content(); });
      surface_->draw(gui_->look.colours.paper);
    }
    return {surface_->width(), surface_->height(), surface_->pixels()};
  }

 private:
  void content() {
    Look& look = gui_->look;
    ImGui::SetCursorPos(ImVec2(look.dp(24), look.dp(24)));
    ImGui::BeginGroup();
    const float width = look.dp(852);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    lane_strip(look, corner.x, corner.y, width, look.dp(6), 13, look.colours.accent, look.colours.line);
    ImGui::Dummy(ImVec2(width, look.dp(12)));
    button(look, "a", "Run", ButtonKind::primary);
    ImGui::SameLine();
    button(look, "b", "Check");
    ImGui::SameLine();
    button(look, "c", "Reset", ButtonKind::quiet);
    ImGui::SameLine();
    button(look, "d", "Not now", ButtonKind::plain, false);
    ImGui::SameLine();
    stamp_chip(look, "s1", Stamp::measured, "measured", "");
    ImGui::SameLine();
    stamp_chip(look, "s2", Stamp::counted, "counted", "");
    ImGui::SameLine();
    stamp_chip(look, "s3", Stamp::modelled, "modelled", "");
    segmented(look, "seg", {"naive", "tiled", "both"}, 1);
    begin_region("tabs", width, look.dp(48), false);
    tab_strip(look, "tab", {"Output", "Threads", "Memory"}, 1);
    end_region();
    {
      Card card(look, "card", width, look.colours.panel, look.colours.line, 16, look.colours.accent);
      wrapped(look, "Which block runs first?", look.fonts.body, look.colours.ink);
      choice_row(look, "c1", true, false, "Block 0", true);
      choice_row(look, "c2", true, true, "Any block may", true);
      choice_row(look, "c3", false, true, "Several of them", true);
      progress_bar(look, 0.4f, look.dp(200));
    }
    DocumentEvents events;
    DocumentView view;
    view.name = "page";
    view.width = look.dp(640);
    draw_document(look, document_, view, events);
    gap(look, 12);
    const std::vector<CodeMark> marks = {{5, 16, Severity::error, "Thread 100 writes past the end.", 4}};
    const std::map<int, GutterNote> notes = {{4, {"96", "100 %", "", 1}}, {5, {"32", "97 %", "", 0.4f}}};
    CodeView code;
    code.read_only = true;
    code.width = width;
    code.height = look.dp(160);
    code.marks = &marks;
    code.gutter = &notes;
    code.selected_line = 2;
    code_editor(look, "code", editor_, code);
    ImGui::EndGroup();
  }

  std::unique_ptr<Surface> surface_;
  std::unique_ptr<Gui> gui_;
  Document document_;
  CodeEditor editor_;
};

}  // namespace

TEST_CASE("the sheet of widgets looks as recorded") {
  struct Case {
    const char* name;
    float scale;
    bool dark;
  };
  for (const Case& one :
       {Case{"widgets-light", 1, false}, Case{"widgets-dark", 1, true}, Case{"widgets-light-2x", 2, false}}) {
    Sheet sheet(one.scale, one.dark);
    if (!sheet.usable()) return;
    const Picture picture = sheet.draw();
    const GoldenResult result = against_golden(Path(WARPBOOK_SOURCE_DIR) / "tests" / "golden",
                                               WARPBOOK_BINARY_DIR, one.name, picture, sheet.renderer());
    INFO(one.name << ": " << result.message);
    if (result.outcome == GoldenOutcome::skipped) WARN(result.message);
    CHECK(result.outcome != GoldenOutcome::different);
  }
}

TEST_CASE("the same sheet drawn twice is the same to the last bit") {
  Sheet sheet(1, false);
  if (!sheet.usable()) return;
  const Picture first = sheet.draw(), second = sheet.draw();
  CHECK(first.pixels == second.pixels);
  // It is no empty sheet either.
  size_t ground = 0;
  for (const uint32_t pixel : first.pixels) ground += pixel == (light_palette().paper | 0xff000000u);
  CHECK(ground < first.pixels.size() * 9 / 10);
  CHECK(ground > first.pixels.size() / 10);
}

TEST_CASE("a picture of impossible size is refused in words") {
  const auto made = platform::make_surface({true, 0, 100, 1, "", {}});
  REQUIRE_FALSE(made.ok());
  CHECK(made.error().message.find("0 x 100") != std::string::npos);
}

TEST_CASE("a texture takes pixels and shows them") {
  auto made = platform::make_surface({true, 64, 64, 1, "", {}});
  if (!made) {
    WARN("no picture in memory here: " << to_string(made.error()));
    return;
  }
  Gui gui(1, 64, 64);
  REQUIRE((*made)->attach().ok());
  ImageTarget image = (*made)->make_image(2, 2);
  REQUIRE(image.handle != 0);
  const uint32_t pixels[] = {0xff0000ffu, 0xff00ff00u, 0xffff0000u, 0xffffffffu};
  image.upload(image.owner, image, pixels);
  for (int i = 0; i < 2; ++i) {
    (*made)->begin_frame();
    gui.frame(
        [&] { ImGui::GetForegroundDrawList()->AddImage(texture_of(image), ImVec2(0, 0), ImVec2(64, 64)); });
    (*made)->draw(0);
  }
  const std::vector<uint32_t> shown = (*made)->pixels();
  CHECK(shown[10 * 64 + 10] == pixels[0]);  // row 0 is on top
  CHECK(shown[10 * 64 + 50] == pixels[1]);
  CHECK(shown[50 * 64 + 10] == pixels[2]);
  CHECK(shown[50 * 64 + 50] == pixels[3]);
  (*made)->release_image(image);
  (*made)->detach();
}
