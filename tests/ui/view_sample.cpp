#include "ui/view_sample.h"

#include <cmath>
#include <cstring>

namespace warpbook::ui {

view::ViewInput SampleRun::input() const {
  view::ViewInput input;
  input.options = options;
  input.values = values;
  input.launch = launch;
  const auto or_null = [](const auto& part) { return part.empty() ? nullptr : &part; };
  input.outputs = or_null(outputs);
  input.lines = or_null(lines);
  input.write_maps = or_null(write_maps);
  input.warps = or_null(warps);
  input.source = or_null(source);
  input.diagnostics = &diagnostics;
  const auto pointer_to = [](const auto& part) { return part ? &*part : nullptr; };
  input.counters = pointer_to(counters);
  input.previous_counters = pointer_to(previous_counters);
  input.recording = pointer_to(recording);
  input.occupancy = pointer_to(occupancy);
  input.modelled = pointer_to(modelled);
  input.previous_modelled = pointer_to(previous_modelled);
  input.block_recording = pointer_to(block_recording);
  input.opened = pointer_to(opened);
  input.times = pointer_to(times);
  input.first_times = pointer_to(first_times);
  input.program = pointer_to(program);
  input.generation = 1;
  return input;
}

Output sample_output(const std::string& name, ElementType type, const std::vector<double>& values) {
  Output output;
  output.name = name;
  output.type = type;
  output.count = values.size();
  const size_t bytes = bytes_of(type);
  output.data.resize(values.size() * bytes);
  for (size_t i = 0; i < values.size(); ++i) {
    std::byte* at = output.data.data() + i * bytes;
    if (type == ElementType::f32) {
      const float value = float(values[i]);
      std::memcpy(at, &value, 4);
    } else if (type == ElementType::f64) {
      std::memcpy(at, &values[i], 8);
    } else {
      const int64_t value = int64_t(std::llround(values[i]));
      std::memcpy(at, &value, bytes);  // little-endian, as all data here
    }
  }
  return output;
}

std::vector<double> sample_noise(size_t count, uint64_t seed) {
  std::vector<double> values(count);
  uint64_t state = seed * 0x9E3779B97F4A7C15u + 1;
  for (double& value : values) {
    state = state * 6364136223846793005u + 1442695040888963407u;  // Knuth, MMIX
    value = double(state >> 11) / 9007199254740992.0;
  }
  return values;
}

}  // namespace warpbook::ui
