// Pictures of a GPU's runs in the window, with the stand-in driver and Mesa: drawn as they should be by both
// ways, switched, resized, refused and failing, and the window stays usable throughout.
#include <fmt/format.h>

#include "base/hash.h"
#include "device/cuda_driver.h"
#include "gpu_window.h"
#include "ui/words.h"

using namespace warpbook;
using namespace warpbook::ui;

namespace {

constexpr const char* paint_source =
    "extern \"C\" __global__ void paint(unsigned* pixels, int n, unsigned seed)\n{\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n) pixels[i] = 0xff000000u | (unsigned(i) * 2654435761u + seed);\n}\n";

std::vector<uint32_t> painted(uint32_t count, uint32_t seed) {
  std::vector<uint32_t> pixels(count);
  for (uint32_t i = 0; i < count; ++i) pixels[i] = 0xff000000u | (i * 2654435761u + seed);
  return pixels;
}

/// A kernel of ours that paints so many pixels.
RunRequest painting(uint32_t count, uint32_t seed, bool live) {
  RunRequest request;
  request.source = paint_source;
  request.ours = content_hash(request.source);
  request.file = "paint.cu";
  request.kernel = "paint";
  request.launch = Launch{{(count + 127) / 128, 1, 1}, {128, 1, 1}};
  request.args = {fmt::format("pixels=buf:u32[{}]:uninit", count), fmt::format("n=i32:{}", count),
                  fmt::format("seed=u32:{}", seed)};
  request.args_complete = true;
  request.level = live ? Level::run : Level::measure;
  request.live = live;
  request.measure = {1, 2, 1, false};
  return request;
}

bool is_sentence(const std::string& text) { return text.size() > 10 && text.back() != ' '; }

}  // namespace

TEST_CASE("a live picture comes without the emulator, and what follows is the same picture") {
  Window window;
  if (!window.usable()) return;
  ImageTarget target = window.make(64, 48);
  const RunResult live = window.run_it(painting(64 * 48, 7, true));
  REQUIRE(live.on_gpu);
  CHECK(live.outputs.empty());
  CHECK_FALSE(live.counters);
  CHECK_FALSE(live.times.emulator_ms);
  CHECK_FALSE(live.times.measured);
  CHECK(window.shown(live, target) == painted(64 * 48, 7));
  REQUIRE(window.pictures->newest());
  const ImageOutcome& outcome = window.pictures->newest()->outcome;
  CHECK(outcome.way == "texture");
  CHECK(outcome.without_copy_ms);
  CHECK(outcome.through_host_ms);  // both costs, without anybody having switched
  CHECK(picture_way_words(outcome).find("Drawn on the GPU in") == 0);
  CHECK(picture_way_words(outcome).find("through the host it takes") != std::string::npos);
  CHECK(window.standin.calls("cuGraphicsGLRegisterImage") == 1);
  const int loads = window.standin.calls("cuModuleLoadDataEx");
  const RunResult second = window.run_it(painting(64 * 48, 8, true));
  CHECK(window.standin.calls("cuModuleLoadDataEx") == loads);  // the same code is not loaded again
  CHECK(window.shown(live, target).empty());                   // its buffers are another run's
  CHECK(window.shown(second, target) == painted(64 * 48, 8));
  const RunResult whole = window.run_it(painting(64 * 48, 9, false));
  CHECK(whole.counters);
  CHECK(whole.outputs.size() == 1);
  CHECK(window.shown(whole, target) == painted(64 * 48, 9));
  window.release(target);
  CHECK(window.standin.calls("cuGraphicsUnregisterResource") == 1);
  CHECK(window.standin.misuse() == "");
}

TEST_CASE("the switch takes the other way, at once and to the same picture") {
  Window window;
  if (!window.usable()) return;
  ImageTarget target = window.make(32, 16);
  const RunResult run = window.run_it(painting(32 * 16, 3, true));
  CHECK(window.shown(run, target) == painted(32 * 16, 3));
  const uint64_t before = window.pictures->of(*run.on_gpu, true).stamp;
  window.pictures->choose(ImageWay::through_host);
  CHECK(window.pictures->of(*run.on_gpu, true).stamp != before);  // a view takes it again
  CHECK(window.shown(run, target) == painted(32 * 16, 3));
  CHECK(window.pictures->newest()->outcome.way == "host copy");
  CHECK(window.pictures->newest()->outcome.why_host.empty());
  CHECK(picture_way_words(window.pictures->newest()->outcome).find("without that it takes") !=
        std::string::npos);
  window.release(target);
  CHECK(window.standin.misuse() == "");
}

TEST_CASE("two textures, a new size, a lost context and another engine are each registered anew") {
  Window window;
  if (!window.usable()) return;
  ImageTarget one = window.make(64, 48), two = window.make(32, 96);
  const RunResult run = window.run_it(painting(64 * 48, 5, true));
  for (int frame = 0; frame < 2; ++frame) {
    CHECK(window.shown(run, one) == painted(64 * 48, 5));
    CHECK(window.shown(run, two) == painted(64 * 48, 5));
  }
  CHECK(window.standin.calls("cuGraphicsGLRegisterImage") == 2);
  window.release(one);
  one = window.make(16, 16);
  const RunResult small = window.run_it(painting(16 * 16, 6, true));
  CHECK(window.shown(small, one) == painted(16 * 16, 6));
  CHECK(window.standin.calls("cuGraphicsGLRegisterImage") == 3);

  // The context is gone with its textures: OpenGL gives out the same numbers again.
  const uint64_t handle = one.handle;
  window.surface.reset();
  auto again = platform::make_surface({true, 64, 64, 1, "", {}});
  REQUIRE(again.ok());
  window.surface = std::move(*again);
  window.pictures->open(window.session.get(), window.surface.get());
  ImageTarget fresh = window.make(16, 16);
  INFO(handle << " and " << fresh.handle);
  CHECK(window.shown(small, fresh) == painted(16 * 16, 6));

  window.pictures->close();
  REQUIRE(choose_engine(*window.session, "cuda").ok());
  CHECK(window.shown(small, fresh).empty());
  const RunResult other = window.run_it(painting(16 * 16, 8, true));
  CHECK(window.shown(other, fresh) == painted(16 * 16, 8));
  window.release(fresh);
  CHECK(window.standin.misuse() == "");
}

TEST_CASE("where pictures cannot be shared the host serves, and the window says why") {
  Window window;
  if (!window.usable()) return;
  for (const auto& [who, word] : {std::pair("none", "not drawn by an NVIDIA GPU"),
                                  std::pair("other", "something else than this GPU")}) {
    const Setting gl("STANDIN_GL", who);
    ImageTarget target = window.make(32, 16);
    const RunResult run = window.run_it(painting(32 * 16, 4, true));
    CHECK(window.shown(run, target) == painted(32 * 16, 4));
    CHECK(window.pictures->newest()->outcome.way == "host copy");
    CHECK(picture_way_words(window.pictures->newest()->outcome).find(word) != std::string::npos);
    window.release(target);
  }
  {
    // A driver that shares buffers and no textures: Mesa's unpacking fills the texture.
    const Setting fail("STANDIN_FAIL", "cuGraphicsGLRegisterImage:0:801");
    ImageTarget target = window.make(32, 16);
    const RunResult run = window.run_it(painting(32 * 16, 2, true));
    CHECK(window.shown(run, target) == painted(32 * 16, 2));
    CHECK(window.pictures->newest()->outcome.way == "pixel buffer");
    window.release(target);
  }
  // A learner's code is in a process of its own, whose pictures are copied.
  ImageTarget target = window.make(32, 16);
  RunRequest theirs = painting(32 * 16, 1, false);
  theirs.ours.clear();
  const RunResult run = window.run_it(theirs);
  CHECK(window.shown(run, target) == painted(32 * 16, 1));
  CHECK(window.pictures->newest()->outcome.way == "host copy");
  window.release(target);
  CHECK_FALSE(window
                  .run_it([] {
                    RunRequest changed = painting(512, 1, true);
                    changed.ours.clear();
                    return changed;
                  }())
                  .on_gpu);  // and never live
  CHECK(window.standin.misuse() == "");
}

TEST_CASE("while the GPU is at work a picture waits, and a texture's end as well") {
  Window window;
  if (!window.usable()) return;
  ImageTarget target = window.make(32, 16);
  const RunResult run = window.run_it(painting(32 * 16, 4, true));
  {
    const std::lock_guard at_work(window.session->gpu_busy);
    CHECK(window.ask(run, Window::pixels_of("pixels"), target) == Shown::later);
  }
  CHECK(window.shown(run, target) == painted(32 * 16, 4));
  {
    const std::lock_guard at_work(window.session->gpu_busy);
    window.release(target);
    CHECK(target.handle == 0);
    window.pictures->tidy();
    CHECK(window.standin.calls("cuGraphicsUnregisterResource") == 0);
  }
  window.pictures->tidy();
  CHECK(window.standin.calls("cuGraphicsUnregisterResource") == 1);
  CHECK(window.standin.misuse() == "");
}

TEST_CASE("whatever call of the driver fails, the run has its result and the next picture is right") {
  Window window;
  if (!window.usable()) return;
  const auto expected = painted(32 * 16, 1);
  int refused = 0;
  for (const cuda::EntryName& entry : cuda::entry_names()) {
    for (const auto& [nth, code] :
         {std::pair(1, cuda::code::unknown), std::pair(3, cuda::code::illegal_address)}) {
      INFO(entry.symbol << " call " << nth << " gives " << code);
      ImageTarget one = window.make(32, 16), two = window.make(16, 32);
      {
        const Setting fail("STANDIN_FAIL", fmt::format("{}:{}:{}", entry.symbol, nth, code));
        // Also opened anew, so that the entries of the start have their turn.
        static_cast<void>(choose_engine(*window.session, "auto").ok());
        for (const bool live : {true, false}) {
          const auto result = run(*window.session, painting(32 * 16, 1, live));
          if (live && !result) {  // what follows tells
            CHECK(is_sentence(result.error().message));
            continue;
          }
          REQUIRE(result.ok());
          if (!live) {
            CHECK(result->status == "ok");
            REQUIRE(result->outputs.size() == 1);
            CHECK(std::memcmp(result->outputs[0].data.data(), expected.data(), expected.size() * 4) == 0);
            if (result->on_gpu && result->on_gpu->buffers.empty()) {
              ++refused;
              CHECK(is_sentence(result->on_gpu->note));
            }
          }
          for (const ImageTarget& target : {one, two}) {
            const auto got = window.shown(*result, target);
            if (got.empty()) continue;  // the view's own pixels serve
            CHECK(got == expected);
            CHECK(is_sentence(picture_way_words(window.pictures->newest()->outcome)));
          }
        }
        window.release(two);
        window.pictures->close();
      }
      window.pictures->open(window.session.get(), window.surface.get());
      REQUIRE(choose_engine(*window.session, "auto").ok());
      ImageTarget next = window.make(32, 16);
      const RunResult after = window.run_it(painting(32 * 16, 1, true));
      CHECK(window.shown(after, next) == expected);
      CHECK(window.pictures->newest()->outcome.way == "texture");
      window.release(next);
      window.release(one);
      CHECK(window.standin.misuse() == "");
      window.pictures->close();
      REQUIRE(choose_engine(*window.session, "emulated").ok());
      window.standin.forget();
    }
  }
  CHECK(refused > 5);  // others leave no GPU at all, and the emulator runs alone
}
