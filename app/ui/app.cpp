#include "ui/app.h"

#include <fmt/format.h>
#include <imgui.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "ui/exports.h"
#include "ui/fonts.h"
#include "ui/imgui_compat.h"
#include "ui/picture_file.h"
#include "ui/saver.h"
#include "ui/script.h"
#include "ui/shell.h"
#include "ui/workbook.h"

namespace warpbook::ui {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int settle_frames = 3;        // ImGui needs a frame or two to come to rest after an event
constexpr double longest_script = 300;  // seconds

int complain(const Error& error) {
  fmt::print(stderr, "warpbook: {}\n", to_string(error));
  return 4;
}

bool desktop_is_dark() {
  const char* theme = std::getenv("GTK_THEME");
  return theme && std::string_view(theme).find("dark") != std::string_view::npos;
}

class App {
 public:
  App(const AppOptions& options, Session& session) : options_(options) {
    // Pictures and scripts must not depend on what somebody did before, nor change it; a home of its own is
    // different.
    const bool forget = options.headless && !std::getenv("WARPBOOK_HOME");
    load_workbook(book_, session, forget);
    if (!options.theme.empty()) book_.settings.theme = options.theme;
    if (options.session.device.empty()) take_engine(book_, book_.settings.device);
    if (session.gpu_device) look_for_gpus(book_);
  }

  Result<Done> start(const SurfaceMaker& make_surface) {
    SurfaceRequest request;
    request.headless = options_.headless;
    request.width = options_.width > 0  ? options_.width
                    : options_.headless ? 1280
                                        : book_.settings.window_width;
    request.height = options_.height > 0 ? options_.height
                     : options_.headless ? 800
                                         : book_.settings.window_height;
    request.scale = options_.scale > 0 ? options_.scale : book_.settings.scale;
    request.title = "Warpbook";
    request.cuda_device = number_of(*book_.session, book_.gpus_here);
    if (const Result<Picture> icon = read_picture(book_.session->options.root / "assets" / "warpbook.png"))
      request.icon = icon->pixels;
    Result<std::unique_ptr<Surface>> surface = make_surface(request);
    if (!surface) return surface.error();
    surface_ = std::move(*surface);
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    io.ConfigInputTextCursorBlink = !options_.headless;
    io.ConfigWindowsMoveFromTitleBarOnly = true;
    if (Result<Done> attached = surface_->attach(); !attached) return attached;
    attached_ = true;
    if (options_.headless) install_key_map();
    claim_tab_key();
    book_.gpu_pictures.open(book_.session, surface_.get());
    book_.pictures = book_.gpu_pictures.maker();
    prefer_drawing_gpu(*book_.session, surface_->device_uuid(), book_.gpus_here);
    book_.engine = engine_name(*book_.session);
    runner_ =
        std::make_unique<Runner>(session_workers(*book_.session, book_.specs), [this] { surface_->wake(); });
    book_.runner = runner_.get();
    saver_ = std::make_unique<Saver>([this] { surface_->wake(); });
    book_.saver = saver_.get();
    return rebuild_look();
  }

  Result<Done> open(const std::string& slug) {
    const auto& lessons = book_.library->lessons;
    std::string wanted = slug;
    if (wanted.empty() && book_.library->lesson(book_.progress.last_lesson))
      wanted = book_.progress.last_lesson;
    if (wanted.empty() && !lessons.empty()) wanted = lessons.front().slug;
    if (!slug.empty() && !book_.library->lesson(slug)) {
      std::vector<std::string> known;
      for (const Lesson& lesson : lessons) known.push_back(lesson.slug);
      return Error{fmt::format("there is no lesson {}", slug),
                   Trouble::not_found,
                   {},
                   "lessons here: " + join(known, ", ")};
    }
    go_to(book_, {Place::Kind::lesson, wanted, {}, -1});
    return Done{};
  }

  /// Until the window closes.
  void run() {
    int due = settle_frames;
    while (!surface_->should_close()) {
      const bool busy = runner_->status().busy;
      const double timeout = due > 0 ? 0 : busy ? 0.05 : ImGui::GetIO().WantTextInput ? 0.3 : 1.0;
      const bool woken = surface_->wait(timeout);
      if (timeout > 0 && woken) due = settle_frames;
      book_.now = seconds();
      const uint64_t before = visible_state();
      keep_files(book_, false);
      if (visible_state() != before) due = settle_frames;
      const bool blink = ImGui::GetIO().WantTextInput || busy;
      if (due <= 0 && !blink) continue;  // an idle window costs nothing
      due = std::max(0, due - 1);
      if (surface_->width() < 1 || surface_->height() < 1) continue;
      frame(nullptr);
      if (book_.look_changed || (book_.picture_wanted && !busy)) due = settle_frames;
      if (book_.notice_until > book_.now) due = std::max(due, 0);
      surface_->present();
      if (surface_->width() > 0) note_window_size();
    }
  }

  /// Script and screenshot, then the end.
  int run_headless(std::vector<Step> steps) {
    ScriptDriver driver(
        std::move(steps),
        {[this](const std::string& slug) { return book_.library->lesson(slug) && open(slug).ok(); },
         [this](const std::string& control, int64_t value) { return set(control, value); },
         [this](const std::string& theme) {
           book_.settings.theme = theme;
           book_.look_changed = true;
         },
         [this](const std::string& file) {
           request_export(book_, Path(file).extension() == ".csv" ? ExportKind::numbers : ExportKind::picture,
                          file);
         },
         [this] { return answer_ms(); }, [this] { return frame_seconds_ * 1000; },
         [](const std::string& line) {
           fmt::print("{}\n", line);
           std::fflush(stdout);
         }});
    ScriptedInput input;
    int idle_frames = 0;
    while (true) {
      const bool busy = runner_->status().busy || saver_->busy() || book_.picture_wanted;
      if (busy) surface_->wait(0.05);  // as in a window: frames must not take the cores from the run
      book_.now = seconds();
      if (book_.now > longest_script) {
        fmt::print(stderr, "warpbook: the script took longer than {} s\n", longest_script);
        return 1;
      }
      keep_files(book_, false);
      driver.before_frame(input, look_.marks, !busy && idle_frames > 0);
      const auto picture = driver.take_screenshot();
      ImGui::GetIO().DeltaTime = 1.0f / 60;
      frame(&input);
      const bool at_work = runner_->status().busy || saver_->busy() || book_.picture_wanted;
      idle_frames = at_work || book_.look_changed ? 0 : idle_frames + 1;
      if (picture) {
        if (const Result<Done> saved = screenshot(*picture); !saved) return complain(saved.error());
      }
      if (!driver.failure().empty()) {
        fmt::print(stderr, "warpbook: {}: {}\n", options_.script, driver.failure());
        if (!options_.screenshot.empty()) (void)screenshot(options_.screenshot).ok();
        return 1;
      }
      if (driver.finished() && idle_frames >= 2 * settle_frames) break;
    }
    if (!options_.screenshot.empty()) {
      if (const Result<Done> saved = screenshot(options_.screenshot); !saved) return complain(saved.error());
    }
    return 0;
  }

  ~App() {
    // First the worker, which wakes the window; then what it drew on.
    book_.runner = nullptr;
    book_.saver = nullptr;
    runner_.reset();
    saver_.reset();
    book_.now = seconds();
    keep_files(book_, true);
    for (auto& [slug, lesson] : book_.lessons) {
      for (auto& [name, lab] : lesson.labs) {
        for (view::ViewState& state : lab.views) {
          for (ImageTarget& image : state.pictures)
            if (image.handle) book_.pictures.release(book_.pictures.owner, image);
        }
      }
    }
    book_.gpu_pictures.close();
    for (auto& [file, figure] : book_.figures) surface_->release_image(figure.image);
    if (attached_) surface_->detach();
    if (ImGui::GetCurrentContext()) ImGui::DestroyContext();
  }

 private:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

  uint64_t visible_state() const {
    uint64_t sum = 0;
    for (const auto& [slug, lesson] : book_.lessons) {
      for (const auto& [name, state] : lesson.exercises)
        sum += state.mine.version + state.changed_outside + 2 * state.unsaved;
    }
    return sum + book_.progress_changed;
  }

  bool set(const std::string& control, int64_t value) {
    const Lesson* lesson = book_.lesson();
    const Lab* lab = lesson ? lesson->lab(book_.lesson_state().bench) : nullptr;
    if (!lab) return false;
    for (const Control& known : lab->controls) {
      if (known.name != control) continue;
      set_control(book_, *lesson, *lab, control, value);
      return true;
    }
    return false;
  }

  /// Of the lab that is shown, once the picture of its newest request has been drawn.
  std::optional<double> answer_ms() {
    const Lesson* lesson = book_.lesson();
    const Lab* lab = lesson ? lesson->lab(book_.lesson_state().bench) : nullptr;
    if (!lab) return std::nullopt;
    const LabState& state = lab_state(book_, *lesson, *lab);
    if (state.stale || state.answer_seconds <= 0 || state.drawn != state.generation) return std::nullopt;
    return state.answer_seconds * 1000;
  }

  /// After a frame: what is on screen now.
  void note_drawn() {
    const Lesson* lesson = book_.lesson();
    const Lab* lab = lesson ? lesson->lab(book_.lesson_state().bench) : nullptr;
    if (!lab) return;
    LabState& state = lab_state(book_, *lesson, *lab);
    if (state.stale || state.drawn == state.generation) return;
    state.drawn = state.generation;
    state.answer_seconds = steady_seconds() - state.asked_at;
  }

  void note_window_size() {
    if (options_.headless || (surface_->width() == book_.settings.window_width &&
                              surface_->height() == book_.settings.window_height))
      return;
    book_.settings.window_width = surface_->width();
    book_.settings.window_height = surface_->height();
    book_.settings_changed = true;
    book_.changed_at = book_.now;
  }

  Result<Done> rebuild_look() {
    book_.look_changed = false;
    const Settings& settings = book_.settings;
    const float scale = (options_.scale > 0   ? options_.scale
                         : settings.scale > 0 ? settings.scale
                                              : surface_->display_scale()) *
                        (1 + 0.1f * settings.font_step);
    const bool fonts_too = scale != look_.scale || !look_.fonts.body || book_.library.get() != fonts_of_;
    look_.scale = scale;
    look_.motion = settings.motion && !options_.headless;
    look_.colours = settings.theme == "dark" || (settings.theme == "system" && desktop_is_dark())
                        ? dark_palette()
                        : light_palette();
    apply_style(look_.colours, scale);
    if (!fonts_too) return Done{};
    fonts_of_ = book_.library.get();
    Result<Fonts> fonts =
        build_fonts(book_.session->options.root / "assets" / "fonts", scale, all_text(book_));
    if (!fonts) return fonts.error();
    look_.fonts = *fonts;
    surface_->upload_fonts();
    return Done{};
  }

  void frame(ScriptedInput* input) {
    const double begun = steady_seconds();
    if (book_.look_changed) (void)rebuild_look().ok();
    look_.now = book_.now;
    runner_->tick();
    book_.gpu_pictures.tidy();
    take_results(book_);
    if (!book_.engine_wanted.empty() && !runner_->status().busy)
      change_engine(book_, std::exchange(book_.engine_wanted, {}));
    for (const std::string& words : saver_->take()) say(book_, words);
    look_.bare = export_frame(book_);
    look_.marks.begin_frame();
    surface_->begin_frame();
    if (input) input->apply();
    ImGui::NewFrame();
    Frame panels{look_, book_};
    draw_shell(panels);
    ImGui::Render();
    surface_->draw(look_.colours.paper);
    if (look_.bare)
      keep_picture(book_, look_.marks, surface_->width(), surface_->height(), surface_->pixels());
    note_drawn();
    frame_seconds_ = steady_seconds() - begun;
  }

  Result<Done> screenshot(const std::string& file) {
    return write_picture(file, {surface_->width(), surface_->height(), surface_->pixels()});
  }

  const AppOptions options_;
  Workbook book_;
  Look look_;
  const Library* fonts_of_ = nullptr;
  std::unique_ptr<Surface> surface_;
  std::unique_ptr<Runner> runner_;
  std::unique_ptr<Saver> saver_;
  bool attached_ = false;
  double frame_seconds_ = 0;  ///< the last frame, drawing included, waiting for the display not
  const Clock::time_point began_ = Clock::now();
};

}  // namespace

int run_app(const AppOptions& options, const SurfaceMaker& make_surface) {
  std::vector<Step> steps;
  if (!options.script.empty()) {
    const Result<std::string> text = read_file(options.script, 4u << 20);
    if (!text) return complain(text.error());
    Result<std::vector<Step>> parsed = parse_script(*text, options.script);
    if (!parsed) return complain(parsed.error());
    steps = std::move(*parsed);
  }
  SessionOptions session_options = options.session;
  if (session_options.device.empty()) session_options.device = "emulated";  // the settings will say
  Result<std::unique_ptr<Session>> session = open_session(session_options);
  if (!session) return complain(session.error());
  App app(options, **session);
  if (const Result<Done> started = app.start(make_surface); !started) return complain(started.error());
  if (const Result<Done> opened = app.open(options.lesson); !opened) return complain(opened.error());
  if (options.headless) return app.run_headless(std::move(steps));
  app.run();
  return 0;
}

}  // namespace warpbook::ui
