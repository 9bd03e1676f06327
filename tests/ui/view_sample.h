#pragma once
// One sample for each visualiser: results of a run that was never made, the same every time, so that the
// picture can be compared with a recorded one. A new view adds a function in tests/ui/samples and a row in
// tests/ui/samples/table.cpp; test_ui then says how to record.
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "view/view.h"

namespace warpbook::ui {

/// What a ViewInput points at, kept together. Parts left empty are null in the input.
struct SampleRun {
  std::vector<std::pair<std::string, std::string>> options;  ///< values as JSON text: "\"out\"", "64"
  std::map<std::string, int64_t> values;                     ///< the lab's controls
  Launch launch;
  std::vector<Output> outputs;
  std::optional<Counters> counters, previous_counters;
  std::vector<LineCounters> lines;
  std::vector<WriteMap> write_maps;
  std::vector<WarpCounters> warps;
  std::optional<Recording> recording;
  std::optional<BlockRecording> block_recording;
  std::optional<Diagnosis> opened;
  std::string source;
  std::optional<Times> times, first_times;
  std::vector<Diagnosis> diagnostics;
  std::optional<OccupancyPicture> occupancy;
  std::optional<ModelledTime> modelled, previous_modelled;
  std::optional<HostProgram> program;

  /// What the view keeps between frames, as if a learner had used it: state_numbers["step"] = 12.
  std::map<std::string, double> state_numbers;
  /// What some other view has selected.
  view::Selection selection;
  /// Where the mouse rests, as shares of the picture's width and height; none = outside.
  std::optional<std::pair<float, float>> mouse;

  /// The input, pointing into this object: it must stay where it is while the input is used.
  view::ViewInput input() const;
};

struct ViewSample {
  std::string_view slug;  ///< of the visualiser
  void (*fill)(SampleRun& run);
};

/// Every sample, sorted by slug.
const std::vector<ViewSample>& view_samples();

/// A buffer with its contents, for samples.
Output sample_output(const std::string& name, ElementType type, const std::vector<double>& values);
/// Numbers without a pattern to the eye, the same every time: `count` of them in 0..1.
std::vector<double> sample_noise(size_t count, uint64_t seed);

}  // namespace warpbook::ui
