// Numbers that a run left on a GPU, coloured there: the same pixels and facts as the host's own step makes of
// the run's outputs, whatever the type, the way to the texture or the call that fails.
#include <fmt/format.h>

#include "base/hash.h"
#include "device/cuda_driver.h"
#include "gpu_window.h"
#include "view/image.h"
#include "view/matrix_diff.h"

using namespace warpbook;
using namespace warpbook::ui;

namespace {

/// A product of two n x n matrices by a kernel of ours; `wrong` spoils one element in 37.
RunRequest product(int n, bool wrong) {
  RunRequest request;
  request.source =
      "extern \"C\" __global__ void product(const float* a, const float* b, float* c, int n, int wrong)\n{\n"
      "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i >= n * n) return;\n"
      "    float sum = 0;\n"
      "    for (int k = 0; k < n; ++k) sum += a[i / n * n + k] * b[k * n + i % n];\n"
      "    c[i] = wrong && i % 37 == 5 ? sum + i * 0.5f : sum;\n"
      "    if (wrong && i == 12) c[i] = 0.0f / 0.0f * wrong;\n}\n";
  request.ours = content_hash(request.source);
  request.file = "product.cu";
  request.kernel = "product";
  request.launch = Launch{{uint32_t(n * n + 127) / 128, 1, 1}, {128, 1, 1}};
  request.args = {fmt::format("a=buf:f32[{}]:random(1,-9,9)", n * n),
                  fmt::format("b=buf:f32[{}]:random(2,-9,9)", n * n),
                  fmt::format("c=buf:f32[{}]:uninit", n * n), fmt::format("n=i32:{}", n),
                  fmt::format("wrong=i32:{}", wrong ? 1 : 0)};
  request.args_complete = true;
  request.level = Level::measure;
  request.measure = {1, 2, 1, false};
  return request;
}

Colouring difference_of(int n) {
  Colouring colouring;
  colouring.kind = Colouring::Kind::difference;
  colouring.buffer = "c", colouring.left = "a", colouring.right = "b";
  colouring.inner = uint64_t(n);
  colouring.tolerance = 1e-5;
  colouring.ramp = view::ramp_of(view::ColourMap::cividis);
  return colouring;
}

view::ViewInput difference_on_host(const RunResult& result, int n) {
  view::ViewInput input;
  input.outputs = &result.outputs;
  const std::string side = std::to_string(n);
  input.options = {{"buffer", "\"c\""}, {"a", "\"a\""},    {"b", "\"b\""},
                   {"rows", side},      {"columns", side}, {"inner", side}};
  return input;
}

}  // namespace

TEST_CASE(
    "a product's difference is coloured on the GPU as on the host, by every way, and says what is wrong") {
  Window window;
  if (!window.usable()) return;
  window.take_colours();
  for (const auto& [n, wrong] : {std::pair(48, false), std::pair(48, true), std::pair(7, true)}) {
    INFO(n << (wrong ? " spoiled" : " right"));
    const RunResult result = window.run_it(product(n, wrong));
    REQUIRE(result.on_gpu);
    const view::MatrixDiff host = view::make_matrix_diff(difference_on_host(result, n));
    REQUIRE(host.problem.empty());
    CHECK((host.differing > 0) == wrong);
    ImageTarget target = window.make(uint32_t(n), uint32_t(n));
    for (const ImageWay way : {ImageWay::automatic, ImageWay::through_host}) {
      window.pictures->choose(way);
      REQUIRE(window.ask(result, difference_of(n), target) == Shown::shown);
      CHECK(in_texture(target) == host.pixels.rgba);
      CHECK(window.facts.differing == host.differing);
      CHECK(window.facts.largest == host.largest);
      CHECK(window.facts.worst == host.worst);
      const ImageOutcome& outcome = window.pictures->newest()->outcome;
      CHECK(outcome.way == (way == ImageWay::automatic ? "texture" : "host copy"));
      CHECK(outcome.without_copy_ms);
      CHECK(outcome.through_host_ms);
    }
    window.pictures->choose(ImageWay::automatic);
    // Against a buffer in place of a product: from itself nothing is off, but what is no number.
    Colouring other = difference_of(n);
    other.reference = "c";
    REQUIRE(window.ask(result, other, target) == Shown::shown);
    CHECK(window.facts.differing == (wrong ? 1 : 0));
    window.release(target);
  }
  {
    // A driver that shares buffers and no textures.
    const Setting fail("STANDIN_FAIL", "cuGraphicsGLRegisterImage:0:801");
    const RunResult result = window.run_it(product(16, true));
    ImageTarget target = window.make(16, 16);
    REQUIRE(window.ask(result, difference_of(16), target) == Shown::shown);
    CHECK(window.pictures->newest()->outcome.way == "pixel buffer");
    CHECK(in_texture(target) == view::make_matrix_diff(difference_on_host(result, 16)).pixels.rgba);
    window.release(target);
  }
  CHECK(window.standin.misuse() == "");
}

TEST_CASE("numbers of every type are coloured on the GPU as on the host") {
  Window window;
  if (!window.usable()) return;
  window.take_colours();
  ImageTarget target = window.make(64, 48);
  for (const char* type :
       {"i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "bf16", "f32", "f64"}) {
    INFO(type);
    const bool floating = std::string(type).find('f') != std::string::npos;
    RunRequest request;
    request.source = "extern \"C\" __global__ void keep(const void* data, const void* blank)\n{\n}\n";
    request.ours = content_hash(request.source);
    request.file = "keep.cu";
    request.launch = Launch{{1, 1, 1}, {32, 1, 1}};
    const std::string range = floating ? "-7,9" : type[0] == 'i' ? "-100,100" : "0,100";
    request.args = {fmt::format("data=buf:{}[3072]:random(3,{})", type, range),
                    fmt::format("blank=buf:{}[3072]:uninit", type)};
    request.args_complete = true;
    request.level = Level::measure;
    request.measure = {0, 1, 1, false};
    const RunResult result = window.run_it(request);
    REQUIRE(result.on_gpu);
    for (const char* buffer : {"data", "blank"}) {
      INFO(buffer);
      for (const view::ColourMap map :
           {view::ColourMap::viridis, view::ColourMap::cividis, view::ColourMap::cyclic}) {
        const char* name = map == view::ColourMap::viridis   ? "viridis"
                           : map == view::ColourMap::cividis ? "cividis"
                                                             : "cyclic";
        view::ViewInput input;
        input.outputs = &result.outputs;
        input.options = {{"buffer", fmt::format("\"{}\"", buffer)}, {"width", "64"}, {"height", "48"}};
        Colouring colouring;
        colouring.kind = Colouring::Kind::scale;
        colouring.buffer = buffer;
        colouring.ramp = view::ramp_of(map);
        if (map == view::ColourMap::cividis) {
          input.options.push_back({"low", "-3"});
          input.options.push_back({"high", "40"});
          colouring.low = -3, colouring.high = 40;
        }
        const view::Image host = view::make_image(input, name);
        REQUIRE(host.problem.empty());
        REQUIRE(window.ask(result, colouring, target) == Shown::shown);
        CHECK(in_texture(target) == host.pixels.rgba);
        CHECK(window.facts.low == host.low);
        CHECK(window.facts.high == host.high);
        CHECK(window.facts.unwritten == host.unwritten.size());
      }
    }
  }
  window.release(target);
  CHECK(window.standin.misuse() == "");
}

TEST_CASE("without its colours, its types or all its buffers a picture of numbers is left to the host") {
  Window window;
  if (!window.usable()) return;
  const RunResult result = window.run_it(product(16, false));
  ImageTarget target = window.make(16, 16);
  CHECK(window.ask(result, difference_of(16), target) == Shown::gone);
  window.take_colours();
  CHECK(window.ask(result, difference_of(16), target) == Shown::shown);
  Colouring unknown = difference_of(16);
  unknown.left = "no such buffer";
  CHECK(window.ask(result, unknown, target) == Shown::gone);
  Colouring too_far = difference_of(16);
  too_far.inner = 17;
  CHECK(window.ask(result, too_far, target) == Shown::gone);
  ColouredFacts facts;
  CHECK(window.pictures->of(*result.on_gpu, false).show(difference_of(16), target, facts) == Shown::gone);
  // A learner's code runs in a process of its own.
  RunRequest theirs = product(16, false);
  theirs.ours.clear();
  const RunResult apart = window.run_it(theirs);
  CHECK(window.ask(apart, difference_of(16), target) == Shown::gone);
  window.release(target);
  CHECK(window.standin.misuse() == "");
}

TEST_CASE("whatever call of the driver fails while numbers are coloured, the next picture is right") {
  Window window;
  if (!window.usable()) return;
  window.take_colours();
  int gone = 0;
  for (const cuda::EntryName& entry : cuda::entry_names()) {
    for (const auto& [nth, code] :
         {std::pair(1, cuda::code::unknown), std::pair(2, cuda::code::illegal_address)}) {
      INFO(entry.symbol << " call " << nth << " gives " << code);
      const RunResult result = window.run_it(product(8, true));
      const auto expected = view::make_matrix_diff(difference_on_host(result, 8)).pixels.rgba;
      ImageTarget target = window.make(8, 8);
      {
        const Setting fail("STANDIN_FAIL", fmt::format("{}:{}:{}", entry.symbol, nth, code));
        if (window.ask(result, difference_of(8), target) == Shown::shown)
          CHECK(in_texture(target) == expected);
        else
          ++gone;
      }
      window.release(target);
      const RunResult after = window.run_it(product(8, true));
      ImageTarget next = window.make(8, 8);
      CHECK(window.ask(after, difference_of(8), next) == Shown::shown);
      CHECK(in_texture(next) == expected);
      window.release(next);
      CHECK(window.standin.misuse() == "");
    }
  }
  CHECK(gone > 5);  // each entry that colouring itself calls
}
