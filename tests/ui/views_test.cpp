// Every view of the table on its sample: looks as recorded, light and dark, and exports what it shows; and
// every view that a lesson asks for exists.
#include <filesystem>

#include "catch.h"
#include "golden.h"
#include "gui.h"
#include "lesson/lesson.h"
#include "platform/window.h"
#include "ui/view_sample.h"
#include "view/view.h"

using namespace warpbook;
using namespace warpbook::ui;

namespace {

constexpr float picture_width = 560, picture_height = 420, margin = 16;  // dp

Path golden_folder() { return source_folder() / "tests" / "golden"; }

std::string picture_name(std::string_view slug, bool dark) {
  return "view-" + std::string(slug) + (dark ? "-dark" : "-light");
}

const char* how_to_record =
    "Record it: WARPBOOK_RECORD=1 tests/test_ui \"[views]\" in the build folder. Look at the pictures "
    "tests/golden/view-SLUG-light.png and -dark.png, and commit them.";

// A view alone on a surface in memory.
class Stage {
 public:
  Stage(const SampleRun& run, const view::Visualiser& visualiser, bool dark)
      : run_(run), input_(run.input()), visualiser_(visualiser) {
    const int width = int(picture_width + 2 * margin), height = int(picture_height + 2 * margin);
    Result<std::unique_ptr<Surface>> made = platform::make_surface({true, width, height, 1, "", {}});
    if (!made) return;
    surface_ = std::move(*made);
    gui_ = std::make_unique<Gui>(1.0f, float(width), float(height), run.source + "×−…");
    gui_->look.colours = dark ? dark_palette() : light_palette();
    apply_style(gui_->look.colours, 1);
    REQUIRE(surface_->attach().ok());
    pictures_.owner = surface_.get();
    pictures_.make = [](void* owner, uint32_t w, uint32_t h) {
      return static_cast<Surface*>(owner)->make_image(w, h);
    };
    pictures_.release = [](void* owner, ImageTarget& target) {
      static_cast<Surface*>(owner)->release_image(target);
    };
    state_.numbers = run.state_numbers;
    if (run.mouse) {
      gui_->input.move_mouse(margin + picture_width * run.mouse->first,
                             margin + picture_height * run.mouse->second);
    } else {
      gui_->input.move_mouse(1, 1);
    }
  }
  ~Stage() {
    if (!surface_) return;
    for (ImageTarget& image : state_.pictures) surface_->release_image(image);
    surface_->detach();
  }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  bool usable() const { return surface_ != nullptr; }
  std::string renderer() const { return surface_->renderer(); }
  Picture draw() {
    for (int i = 0; i < 4; ++i) {
      view::Selection selection = run_.selection;
      surface_->begin_frame();
      gui_->frame([&] {
        visualiser_.draw(input_, state_, selection, view_style(gui_->look), pictures_,
                         {margin, margin, picture_width, picture_height});
      });
      surface_->draw(gui_->look.colours.paper);
    }
    return {surface_->width(), surface_->height(), surface_->pixels()};
  }
  size_t ground(const Picture& picture) const {
    size_t count = 0;
    for (const uint32_t pixel : picture.pixels) count += pixel == gui_->look.colours.paper;
    return count;
  }

 private:
  const SampleRun& run_;
  const view::ViewInput input_;
  const view::Visualiser& visualiser_;
  std::unique_ptr<Surface> surface_;
  std::unique_ptr<Gui> gui_;
  view::PictureMaker pictures_;
  view::ViewState state_;
};

}  // namespace

TEST_CASE("every view has a sample, and every sample a view", "[views]") {
  const auto& samples = view_samples();
  for (const view::Visualiser& one : view::visualisers()) {
    const bool found = std::any_of(samples.begin(), samples.end(),
                                   [&](const ViewSample& sample) { return sample.slug == one.slug; });
    INFO(
        "The view \"" << one.slug
                      << "\" of app/view/table.cpp has no sample. Write a function that fills a SampleRun in "
                         "a file of tests/ui/samples, and give it a row in tests/ui/samples/table.cpp. "
                      << how_to_record);
    CHECK(found);
  }
  std::string before;
  for (const ViewSample& sample : samples) {
    INFO("sample " << sample.slug);
    CHECK(view::visualiser(sample.slug) != nullptr);
    CHECK(std::string(sample.slug) > before);
    before = sample.slug;
  }
}

TEST_CASE("every view looks as recorded, light and dark", "[views]") {
  const char* record = std::getenv("WARPBOOK_RECORD");
  const bool recording = record && std::string_view(record) == "1";
  for (const ViewSample& sample : view_samples()) {
    const view::Visualiser* visualiser = view::visualiser(sample.slug);
    if (!visualiser) continue;  // the test above says so
    SampleRun run;
    sample.fill(run);
    for (const bool dark : {false, true}) {
      const std::string name = picture_name(sample.slug, dark);
      if (!recording) {
        INFO("tests/golden/" << name << ".png is missing. " << how_to_record);
        CHECK(std::filesystem::exists(golden_folder() / (name + ".png")));
      }
      Stage stage(run, *visualiser, dark);
      if (!stage.usable()) {
        WARN("no picture in memory here");
        return;
      }
      const Picture picture = stage.draw();
      INFO("view " << sample.slug << (dark ? ", dark" : ", light"));
      CHECK(stage.draw().pixels == picture.pixels);  // nothing in it depends on when it is drawn
      CHECK(stage.ground(picture) < picture.pixels.size() * 99 / 100);
      const GoldenResult result =
          against_golden(golden_folder(), WARPBOOK_BINARY_DIR, name, picture, stage.renderer());
      INFO(result.message);
      if (result.outcome == GoldenOutcome::skipped) WARN(result.message);
      CHECK(result.outcome != GoldenOutcome::different);
    }
  }
}

TEST_CASE("every view exports its sample's numbers as a table with a head and rows of its width", "[views]") {
  for (const ViewSample& sample : view_samples()) {
    const view::Visualiser* visualiser = view::visualiser(sample.slug);
    if (!visualiser || !visualiser->csv) continue;
    SampleRun run;
    sample.fill(run);
    const std::string csv = visualiser->csv(run.input());
    INFO("view " << sample.slug << ": " << csv.substr(0, 200));
    const auto commas = [](const std::string& line) { return std::count(line.begin(), line.end(), ','); };
    REQUIRE(csv.find('\n') != std::string::npos);
    CHECK(csv.back() == '\n');
    const auto width = commas(csv.substr(0, csv.find('\n')));
    size_t rows = 0;
    for (size_t at = csv.find('\n') + 1; at < csv.size(); at = csv.find('\n', at) + 1, ++rows) {
      const std::string line = csv.substr(at, csv.find('\n', at) - at);
      if (line.find('"') == std::string::npos) CHECK(commas(line) == width);
    }
    CHECK(rows > 0);
  }
}

TEST_CASE("a view without results says so and does not fall", "[views]") {
  for (const view::Visualiser& one : view::visualisers()) {
    SampleRun empty;
    Stage stage(empty, one, false);
    if (!stage.usable()) {
      WARN("no picture in memory here");
      return;
    }
    INFO("view " << one.slug);
    const Picture picture = stage.draw();
    CHECK(stage.ground(picture) < picture.pixels.size());  // words instead of a picture
    if (one.csv) CHECK(one.csv(empty.input()).find('\n') != std::string::npos);
  }
}

TEST_CASE("every view that a lesson asks for exists", "[views]") {
  const Library library = load_library({source_folder()});
  CHECK(library.lessons.size() >= 3);
  for (const Lesson& lesson : library.lessons) {
    for (const Lab& lab : lesson.labs) {
      for (const ViewSpec& spec : lab.views) {
        INFO("lessons/" << lesson.slug << "/lesson.json, lab " << lab.name << " asks for a view \""
                        << spec.type << "\", which app/view/table.cpp does not have");
        CHECK(view::visualiser(spec.type) != nullptr);
      }
    }
  }
}
