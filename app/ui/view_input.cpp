// What a view gets of a run: results, and its options with the {expressions} worked out for the run that made
// them.
#include "ui/panels.h"
#include "ui/workbook.h"

namespace warpbook::ui {

ShownRun shown_run(const LabState& state) {
  if (state.looks_back && state.before) return *state.before;
  return {state.result,          state.previous,      state.models,
          state.previous_models, state.result_source, state.result_values,
          state.first_times,     state.generation,    state.stale};
}

view::ViewInput view_input(const ShownRun& run, const ViewSpec& spec) {
  view::ViewInput input;
  for (const auto& [key, value] : spec.options) input.options.emplace_back(key, filled(value, run.values));
  input.values = run.values;
  const RunResult& result = *run.result;
  input.launch = result.launch;
  input.outputs = &result.outputs;
  input.counters = result.counters ? &*result.counters : nullptr;
  input.previous_counters = run.previous && run.previous->counters ? &*run.previous->counters : nullptr;
  input.lines = &result.lines;
  input.write_maps = &result.write_maps;
  input.warps = &result.warps;
  input.recording = result.recording ? &*result.recording : nullptr;
  input.block_recording = result.block_recording ? &*result.block_recording : nullptr;
  input.source = run.source.get();
  input.times = &result.times;
  input.first_times = run.first_times ? &*run.first_times : nullptr;
  input.diagnostics = &result.diagnostics;
  if (run.models) {
    input.occupancy = run.models->occupancy.get();
    const auto time_of = [&input](const RunModels& models) {
      const bool larger = !view::option_text(input, "blocks").empty() && models.larger;
      const auto& time = larger ? models.larger : models.modelled;
      return time ? &*time : nullptr;
    };
    input.modelled = time_of(*run.models);
    if (run.previous_models && run.previous_models->gpu == run.models->gpu)
      input.previous_modelled = time_of(*run.previous_models);
  }
  input.program = result.program.get();
  input.generation = run.generation;
  input.stale = run.stale;
  return input;
}

}  // namespace warpbook::ui
