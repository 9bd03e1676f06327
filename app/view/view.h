#pragma once
// Visualisers: what a lab shows under its controls. One file and one row each. A visualiser has a pure step
// (results to cells, series or pixels: tested without a window) and a dumb drawing step on ImGui's draw list.
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "result/colouring.h"
#include "result/counters.h"
#include "result/diagnosis.h"
#include "result/element.h"
#include "result/host_program.h"
#include "result/image_target.h"
#include "result/launch.h"
#include "result/modelled_time.h"
#include "result/occupancy.h"
#include "result/step_recording.h"
#include "result/times.h"
#include "result/trace.h"

namespace warpbook::view {

/// What all views of a page share: hover a thread anywhere and its data lights up everywhere, and the
/// reverse.
struct Selection {
  std::optional<int64_t> thread;                           ///< linear through the grid, as in WriteMap
  std::optional<std::pair<std::string, int64_t>> element;  ///< buffer and index
  std::optional<int> line;                                 ///< of the kernel's source
  const void* owner = nullptr;                             ///< the view whose mouse set it this frame
};

/// Buffers that a run left in a GPU's memory: a view of pixels asks for them in its texture, where they come
/// from there. Asked on the thread that draws.
struct OnGpu {
  enum class Answer {
    shown,
    later,  ///< the GPU is at work: ask again at the next frame
    gone    ///< not there, or not possible: the view's own pixels serve
  };
  uint64_t stamp = 0;  ///< never 0; another one, another picture (or another way to the texture)
  bool newer = false;  ///< than everything else here: of this run nothing but the buffers is known yet
  std::function<Answer(const Colouring&, const ImageTarget& target, ColouredFacts& facts)> show;
};

/// Results of a run as views need them; pointers may be null where a run did not gather something.
struct ViewInput {
  std::vector<std::pair<std::string, std::string>> options;  ///< of the lesson's view, values as JSON text
  std::map<std::string, int64_t> values;                     ///< the lab's controls
  Launch launch;
  const std::vector<Output>* outputs = nullptr;
  const Counters* counters = nullptr;
  const Counters* previous_counters = nullptr;  ///< the ghost: the run before
  const std::vector<LineCounters>* lines = nullptr;
  const std::vector<WriteMap>* write_maps = nullptr;
  const std::vector<WarpCounters>* warps = nullptr;
  const Recording* recording = nullptr;
  const BlockRecording* block_recording = nullptr;  ///< every step of one block
  const Diagnosis* opened = nullptr;                ///< the diagnosis that the block is looked at for
  const std::string* source = nullptr;              ///< of the kernel, for views that show lines
  const Times* times = nullptr;
  const Times* first_times = nullptr;  ///< of the first run with this source: cold against warm
  const std::vector<Diagnosis>* diagnostics = nullptr;
  const OccupancyPicture* occupancy = nullptr;
  /// The picture of another launch on the same GPU, for what-if questions; may be empty.
  std::function<OccupancyPicture(const OccupancyQuestion&)> occupancy_of;
  const ModelledTime* modelled = nullptr;
  const ModelledTime* previous_modelled = nullptr;  ///< of the run before, on the same GPU
  const HostProgram* program = nullptr;             ///< of a whole program: its tape
  const OnGpu* on_gpu = nullptr;                    ///< what the run left on a GPU
  uint64_t generation = 0;                          ///< changes with each new result: caches key on it
  bool stale = false;                               ///< draw dimmed: a newer run is on its way
};

/// Textures come from platform through this seam; null functions = no pictures (tests without a window).
struct PictureMaker {
  void* owner = nullptr;
  ImageTarget (*make)(void* owner, uint32_t width, uint32_t height) = nullptr;
  void (*release)(void* owner, ImageTarget& target) = nullptr;
};

/// Colours, sizes and fonts that drawing needs, filled by ui's theme: view does not know ui.
struct Style {
  uint32_t paper = 0, ink = 0, muted = 0, line = 0, accent = 0, warning = 0, error = 0, success = 0,
           panel = 0;
  uint32_t series[8] = {};  ///< Okabe-Ito
  bool dark = false;
  float dp = 1;               ///< pixels a dp
  void* font_body = nullptr;  ///< ImFont*
  void* font_caption = nullptr;
  void* font_mono = nullptr;
};

/// A request that a view makes of the lab: Mandelbrot's zoom sets controls.
struct ControlChange {
  std::string name;
  int64_t value;
};

// Options of `image` that make it zoom: `zoom_x`, `zoom_y` and `zoom_span` name integer controls in one unit;
// the picture shows [x - span/2, x + span/2] across, and the wheel or a drag asks for new values of them.
// `zoom_unit`: what 1 of them stands for on the axes.

/// What one view on screen keeps from frame to frame. Plain data, owned by the page.
struct ViewState {
  std::map<std::string, double> numbers;  ///< zoom, scroll, scrubber position ...
  std::vector<ImageTarget> pictures;
  static constexpr uint64_t nothing = ~uint64_t{0};
  uint64_t from_gpu = 0;               ///< OnGpu::stamp of what the first picture holds; 0 = own pixels
  uint64_t not_on_gpu = 0;             ///< OnGpu::stamp that was answered with `gone`
  ColouredFacts facts;                 ///< of the numbers that a GPU coloured in the first picture
  uint64_t generation = 0;             ///< of the result that the cache below was made from
  std::shared_ptr<void> cache;         ///< the pure step's product
  std::vector<ControlChange> changes;  ///< taken and cleared by the lab panel
};

struct DrawArea {
  float x = 0, y = 0, width = 0, height = 0;
};

struct Visualiser {
  std::string_view slug;   ///< "thread-map"
  std::string_view title;  ///< English tab title where the lesson gives none
  bool needs_write_maps = false, needs_per_warp = false, needs_recording = false;
  /// Draws into the area with the current window's draw list and takes its mouse.
  void (*draw)(const ViewInput& input, ViewState& state, Selection& selection, const Style& style,
               const PictureMaker& pictures, const DrawArea& area);
  /// The picture's data as CSV, for export; may be null.
  std::string (*csv)(const ViewInput& input);
  bool needs_block_recording = false;
};

/// The table. Sorted by slug.
const std::vector<Visualiser>& visualisers();
const Visualiser* visualiser(std::string_view slug);

/// Option helpers: the JSON text of an option as plain text, number or list of strings; the fallback when
/// absent.
std::string option_text(const ViewInput& input, std::string_view key, std::string_view fallback = {});
double option_number(const ViewInput& input, std::string_view key, double fallback);
std::vector<std::string> option_list(const ViewInput& input, std::string_view key);

}  // namespace warpbook::view
