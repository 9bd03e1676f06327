#pragma once
// A session with the stand-in driver and an off-screen OpenGL, as the window has them: runs, and their
// pictures in textures.
#include "base/temporary_folder.h"
#include "device/standin.h"
#include "platform/window.h"
#include "support/texture.h"
#include "ui/gpu_pictures.h"

namespace warpbook::ui {

using Shown = view::OnGpu::Answer;

struct Window {
  StandIn standin;
  TemporaryFolder cache;
  std::unique_ptr<Surface> surface;
  std::unique_ptr<Session> session;
  std::unique_ptr<GpuPictures> pictures = std::make_unique<GpuPictures>();
  view::PictureMaker maker;

  bool usable() {
    auto made = platform::make_surface({true, 64, 64, 1, "", {}});
    if (!made) {
      WARN("no off-screen OpenGL here: " << made.error().message);
      return false;
    }
    surface = std::move(*made);
    open_session_anew();
    if (!session->compiler->place().missing.empty()) {
      WARN("no NVRTC here");
      return false;
    }
    return true;
  }
  void open_session_anew() {
    const std::string tests = std::string(WARPBOOK_BINARY_DIR) + "/tests/";
    SessionOptions options;
    options.root = WARPBOOK_SOURCE_DIR;
    options.device = "auto";
    options.gpu_worker = {tests + "cuda_worker"};
    auto opened = open_session(options);
    REQUIRE(opened.ok());
    session = std::move(*opened);
    session->compiler = std::make_unique<Compiler>(cache.path(), 1u << 20,
                                                   std::vector<std::string>{tests + "compile_worker"});
    pictures->open(session.get(), surface.get());
    maker = pictures->maker();
  }
  ~Window() {
    if (surface && session) pictures->close();
    session.reset();
  }
  ImageTarget make(uint32_t width, uint32_t height) { return maker.make(maker.owner, width, height); }
  void release(ImageTarget& target) { maker.release(maker.owner, target); }
  RunResult run_it(const RunRequest& request) {
    auto result = run(*session, request);
    INFO((result ? "" : result.error().message));
    REQUIRE(result.ok());
    return std::move(*result);
  }
  /// The newest run's pixels in the texture; empty when they did not come from the GPU.
  std::vector<uint32_t> shown(const RunResult& result, const ImageTarget& target) {
    if (!result.on_gpu) return {};
    const Shown answer = ask(result, pixels_of("pixels"), target);
    return answer == Shown::shown ? in_texture(target) : std::vector<uint32_t>{};
  }
  static Colouring pixels_of(const std::string& buffer) {
    Colouring colouring;
    colouring.buffer = buffer;
    return colouring;
  }
  Shown ask(const RunResult& result, const Colouring& colouring, const ImageTarget& target) {
    std::map<std::string, ElementType> types;
    for (const Output& output : result.outputs) types[output.name] = output.type;
    return pictures->of(*result.on_gpu, false, types).show(colouring, target, facts);
  }
  void take_colours() {
    auto compiled = compile_colours(*session);
    INFO((compiled ? "" : compiled.error().message));
    REQUIRE(compiled.ok());
    pictures->take_colours(std::make_shared<const CompiledCode>(std::move(*compiled)));
  }
  ColouredFacts facts;  ///< of the newest picture of numbers
};

}  // namespace warpbook::ui
